/** Where the in-process limiter has its time from. */
export interface Clock {
  /** Whole milliseconds since any fixed instant. */
  now(): number
}

/** The longest that Node's timers keep, in milliseconds; a longer one fires at once. */
export const MAX_TIMEOUT_MS = 2 ** 31 - 1

/** Monotonic: no correction of the machine's date moves it. */
export const systemClock: Clock = { now: () => Math.floor(ORIGIN + performance.now()) }

// Read once: as a property of `performance` it costs as much as the time itself.
const ORIGIN = performance.timeOrigin

/** The machine's date, corrections and all: what the calendar goes by. */
export const wallClock: Clock = { now: () => Date.now() }
