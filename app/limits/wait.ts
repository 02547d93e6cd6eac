/** Whole seconds from `now` until `until`, rounded up, never below 0. */
export function secondsLeft(until: number, now: number): number {
  return Math.max(0, Math.ceil((until - now) / 1000))
}

/** A wait for reading: `12 s`, `2 min 5 s`, `1 h 3 min`, `30 d 2 h`. */
export function describeWait(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return join(Math.floor(seconds / 60), 'min', seconds % 60, 's')
  if (seconds < 86_400) return join(Math.floor(seconds / 3600), 'h', Math.floor((seconds % 3600) / 60), 'min')
  return join(Math.floor(seconds / 86_400), 'd', Math.floor((seconds % 86_400) / 3600), 'h')
}

const join = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`

/** How far a wait of `waitMs` that ends at `until` has come, 0 to 1. */
export function waitProgress(until: number, waitMs: number, now: number): number {
  if (waitMs <= 0) return 1
  return Math.min(1, Math.max(0, 1 - (until - now) / waitMs))
}
