/** Defers work that no caller waits for until callers have their answers: it runs in one go within a millisecond or
 *  two, or earlier when `finish` is called, which must happen before anything reads the work's results. The work must
 *  not throw: the items would be lost. */
export class Later<T> {
  readonly #work: (items: readonly T[]) => void
  #items: T[] = []
  #timer: NodeJS.Timeout | null = null

  constructor(work: (items: readonly T[]) => void) {
    this.#work = work
  }

  add(item: T): void {
    if (this.#items.push(item) > 1) return
    // A timer and not an immediate: it fires when the callers' next requests are already on their way.
    if (this.#timer) this.#timer.refresh()
    else this.#timer = setTimeout(() => this.finish(), 1).unref()
  }

  /** Does all deferred work now. */
  finish(): void {
    if (this.#items.length === 0) return
    const items = this.#items
    this.#items = []
    this.#work(items)
  }
}
