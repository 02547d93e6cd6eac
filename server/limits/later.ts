/** Work that no caller waits for, put off until those who do have gone on: done within a millisecond or two, all of it in
 *  one go, or before by whoever needs it done. The work must not throw: what is behind it in the line would be lost. */
export class Later<T> {
  readonly #work: (item: T) => void
  #items: T[] = []
  #timer: NodeJS.Timeout | null = null

  constructor(work: (item: T) => void) {
    this.#work = work
  }

  add(item: T): void {
    if (this.#items.push(item) > 1) return
    // A timer, for it rings when what the callers asked next is on its way.
    if (this.#timer) this.#timer.refresh()
    else this.#timer = setTimeout(() => this.finish(), 1).unref()
  }

  /** Does what is left to do. */
  finish(): void {
    if (this.#items.length === 0) return
    const items = this.#items
    this.#items = []
    for (const item of items) this.#work(item)
  }
}
