import { type Clock, MAX_TIMEOUT_MS } from '../clock.ts'

/** Rings once, when the clock has reached an instant. Never earlier, as a timer alone may by a part of a millisecond.
 *  It keeps the process alive, for somebody waits for it. */
export class Alarm {
  readonly #clock: Clock
  #timer: NodeJS.Timeout | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Rings at the instant `at`, and no more at the one set before. */
  set(at: number, ring: () => void): void {
    this.clear()
    const later = () => (this.#clock.now() < at ? this.set(at, ring) : ring())
    this.#timer = setTimeout(later, Math.min(at - this.#clock.now(), MAX_TIMEOUT_MS))
  }

  clear(): void {
    clearTimeout(this.#timer)
  }
}
