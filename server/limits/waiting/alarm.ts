import { type Clock, MAX_TIMEOUT_MS } from '../clock.ts'

/** Calls back once, when the clock has reached an instant, and never earlier, while a bare timer may fire a fraction of
 *  a millisecond early. It keeps the process alive, because a caller waits for it. */
export class Alarm {
  readonly #clock: Clock
  #timer: NodeJS.Timeout | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Calls `ring` at the instant `at`, and cancels an alarm that was set before. */
  set(at: number, ring: () => void): void {
    this.clear()
    const later = () => (this.#clock.now() < at ? this.set(at, ring) : ring())
    this.#timer = setTimeout(later, Math.max(0, Math.min(at - this.#clock.now(), MAX_TIMEOUT_MS)))
  }

  clear(): void {
    clearTimeout(this.#timer)
  }
}
