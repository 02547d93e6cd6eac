/** Counts the requests of this process, and wakes callers that wait for the next one. */
export class Calls {
  #count = 0
  /** The waiting callers. */
  readonly #waiting = new Set<() => void>()

  /** Counts a request. */
  note(): void {
    this.#count += 1
    if (this.#waiting.size === 0) return
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }

  get count(): number {
    return this.#count
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** Resolves with the next request or with `end`, whichever comes first. Not Promise.race, which would leave reactions
   *  behind on the promise of a request that may never come. */
  async nextUntil(end: Promise<unknown>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const wake = () => resolve(null)
    this.#waiting.add(wake)
    end.then(wake, reject)
    await promise.finally(() => this.#waiting.delete(wake))
  }
}
