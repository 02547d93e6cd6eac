import type { Clock } from '../clock.ts'

/** The current second of a clock, shared by all counters. When the clock steps back, the second stands still until the
 *  clock has caught up: nothing is counted in a second that is over. */
export class SecondHand {
  readonly #clock: Clock
  /** A whole number from the start, and so never boxed by V8: keys keep it. */
  #second = 0
  #endsAt = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  read(): number {
    const now = this.#clock.now()
    if (now >= this.#endsAt) {
      this.#second = Math.floor(now / 1_000)
      this.#endsAt = (this.#second + 1) * 1_000
    }
    return this.#second
  }
}
