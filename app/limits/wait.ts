/** Returns the whole seconds from `now` until `until`, rounded up, at least 0. */
export function secondsLeft(until: number, now: number): number {
  return Math.max(0, Math.ceil((until - now) / 1000))
}

/** Returns how much of a wait of `waitMs` that ends at `until` has passed, 0 to 1. */
export function waitProgress(until: number, waitMs: number, now: number): number {
  if (waitMs <= 0) return 1
  return Math.min(1, Math.max(0, 1 - (until - now) / waitMs))
}
