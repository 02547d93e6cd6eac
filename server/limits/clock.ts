/** Where the in-process limiter has its time from. */
export interface Clock {
  /** Whole milliseconds since any fixed instant. */
  now(): number
}

/** A clock that stands still while it is held, for to read it costs a tenth of a decision in process. */
export class HeldClock implements Clock {
  readonly #clock: Clock
  #isHeld = false
  /** What it was when it was first read since; none yet before. */
  #instant: number | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  now(): number {
    if (!this.#isHeld) return this.#clock.now()
    this.#instant ??= this.#clock.now()
    return this.#instant
  }

  /** Until it is let go, by whoever waits for nothing until then. */
  hold(): void {
    this.#isHeld = true
    this.#instant = null
  }

  letGo(): void {
    this.#isHeld = false
  }
}

/** The longest that Node's timers keep, in milliseconds; a longer one fires at once. */
export const MAX_TIMEOUT_MS = 2 ** 31 - 1

/** Monotonic: no correction of the machine's date moves it. */
export const systemClock: Clock = { now: () => Math.floor(ORIGIN + performance.now()) }

// Read once: as a property of `performance` it costs as much as the time itself.
const ORIGIN = performance.timeOrigin

/** The machine's date, corrections and all: what the calendar goes by. */
export const wallClock: Clock = { now: () => Date.now() }
