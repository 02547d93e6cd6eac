/** Whether anybody calls this process, as whoever sees each request notes. */
export class Calls {
  #count = 0
  #waking: PromiseWithResolvers<void> | null = null

  /** A request has come. */
  note(): void {
    this.#count += 1
    this.#waking?.resolve()
    this.#waking = null
  }

  /** How many have come. */
  get count(): number {
    return this.#count
  }

  /** Resolves with the next one. */
  next(): Promise<void> {
    this.#waking ??= Promise.withResolvers()
    return this.#waking.promise
  }
}
