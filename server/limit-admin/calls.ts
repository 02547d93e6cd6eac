/** Whether anybody calls this process, as whoever sees each request notes. */
export class Calls {
  #count = 0
  /** Those who wait for the next one. */
  readonly #waiting = new Set<() => void>()

  /** A request has come. */
  note(): void {
    this.#count += 1
    if (this.#waiting.size === 0) return
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }

  /** How many have come. */
  get count(): number {
    return this.#count
  }

  /** How many wait for the next one. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Resolves with the next one, or with `end` where that comes first. Not a race: each would leave something behind with the
   *  call that nobody makes, for as long as nobody makes it. */
  async nextUntil(end: Promise<unknown>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const wake = () => resolve(null)
    this.#waiting.add(wake)
    end.then(wake, reject)
    await promise.finally(() => this.#waiting.delete(wake))
  }
}
