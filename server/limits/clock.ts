/** Where the in-process limiter has its time from. */
export interface Clock {
  /** Whole milliseconds since any fixed instant. */
  now(): number
}

/** Monotonic: no correction of the machine's date moves it. */
export const systemClock: Clock = {
  now: () => Math.floor(performance.timeOrigin + performance.now()),
}
