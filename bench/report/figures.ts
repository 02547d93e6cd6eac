/** The target of a figure. */
export interface Target {
  readonly bound: 'at least' | 'at most' | 'more than'
  readonly value: number
  /** What the figure measures. */
  readonly unit?: string
}

export const atLeast = (value: number): Target => ({ bound: 'at least', value })
export const atMost = (value: number): Target => ({ bound: 'at most', value })

/** Whether a measured figure reaches its target. */
export function verdict({ bound, value }: Target, figure: number): 'met' | 'short' {
  const reaches = { 'at least': figure >= value, 'at most': figure <= value, 'more than': figure > value }
  return reaches[bound] ? 'met' : 'short'
}

/** One figure of several rounds. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

export function spreadOf(rounds: readonly number[]): Spread {
  return { median: median(rounds), min: Math.min(...rounds), max: Math.max(...rounds) }
}

/** Returns the median; the mean of the middle two for an even count. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const above = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const below = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN
  return (above + below) / 2
}
