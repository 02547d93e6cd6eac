/** Whether anybody waits for what a source would bring: it need not be read ahead of them. */
export class Demand {
  #waiting = 0
  #ended = false
  #wake = (): void => undefined

  /** Waits for something that the source brings. */
  async while<T>(coming: Promise<T>): Promise<T> {
    this.#waiting += 1
    this.#wake()
    try {
      return await coming
    } finally {
      this.#waiting -= 1
    }
  }

  /** Nobody will wait any more. */
  end(): void {
    this.#ended = true
    this.#wake()
  }

  /** Resolves as soon as somebody waits; false when nobody will. */
  async heard(): Promise<boolean> {
    while (this.#waiting === 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return !this.#ended
  }
}
