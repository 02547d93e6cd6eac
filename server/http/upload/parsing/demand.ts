/** Tracks whether a reader is waiting, so that the source is not read ahead of its readers. */
export class Demand {
  #waiting = 0
  #ended = false
  #wake = (): void => undefined

  /** Waits for a promise of the source. */
  async while<T>(coming: Promise<T>): Promise<T> {
    this.#waiting += 1
    this.#wake()
    try {
      return await coming
    } finally {
      this.#waiting -= 1
    }
  }

  /** Marks that no reader will wait from now on. */
  end(): void {
    this.#ended = true
    this.#wake()
  }

  /** Resolves with true as soon as a reader waits, with false after `end`. */
  async heard(): Promise<boolean> {
    while (this.#waiting === 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return !this.#ended
  }
}
