/** The time source of the in-process limiter. */
export interface Clock {
  /** Whole milliseconds since any fixed instant. */
  now(): number
}

/** A clock that can be held: while it is, it reads the underlying clock once and stands still. Reading the time costs a
 *  tenth of an in-process decision. */
export class HeldClock implements Clock {
  readonly #clock: Clock
  #isHeld = false
  /** The first reading since it was held; NaN before that. Not null: V8 updates a field of doubles in place, and
   *  allocates a new one for each reading in a field of mixed values. */
  #instant = Number.NaN

  constructor(clock: Clock) {
    this.#clock = clock
  }

  now(): number {
    if (!this.#isHeld) return this.#clock.now()
    if (Number.isNaN(this.#instant)) this.#instant = this.#clock.now()
    return this.#instant
  }

  /** Holds the clock until `letGo`. Only for synchronous code. */
  hold(): void {
    this.#isHeld = true
    this.#instant = Number.NaN
  }

  letGo(): void {
    this.#isHeld = false
  }

  /** Holds the clock while `work` runs. */
  during(work: () => void): void {
    if (this.#isHeld) {
      work()
      return
    }
    this.hold()
    try {
      work()
    } finally {
      this.letGo()
    }
  }
}

/** The longest delay of Node's timers, in milliseconds; a longer one fires at once. */
export const MAX_TIMEOUT_MS = 2 ** 31 - 1

/** Milliseconds since 1970, but monotonic: corrections of the machine's date do not move it. */
export const systemClock: Clock = { now: () => Math.floor(ORIGIN + performance.now()) }

// Read once: as a property of `performance` it costs as much as the time itself.
const ORIGIN = performance.timeOrigin

/** The machine's date in milliseconds since 1970, which calendar windows go by. */
export const wallClock: Clock = { now: () => Date.now() }
