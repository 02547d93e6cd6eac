import type { Counts } from './limiter-stats.ts'

/** The order in which counts are stored and sent between processes: those that are rarely above 0 come last. Changing
 *  it requires a new version of the snapshot. */
export const COUNT = {
  passed: 0,
  refused: 1,
  shadowRefused: 2,
  degraded: 3,
  free: 4,
  decidedFromCache: 5,
  decidedLocally: 6,
  decidedByPolicy: 7,
  waited: 8,
  waitedMs: 9,
  abandoned: 10,
  penaltyPoints: 11,
} as const satisfies Record<keyof Counts, number>

/** The number of counts. */
export const COUNTS = Object.keys(COUNT).length

/** Returns the counts by name; absent ones are 0. */
export function countsOf(numbers: readonly number[]): Counts {
  return {
    passed: numbers[COUNT.passed] ?? 0,
    refused: numbers[COUNT.refused] ?? 0,
    shadowRefused: numbers[COUNT.shadowRefused] ?? 0,
    degraded: numbers[COUNT.degraded] ?? 0,
    free: numbers[COUNT.free] ?? 0,
    decidedFromCache: numbers[COUNT.decidedFromCache] ?? 0,
    decidedLocally: numbers[COUNT.decidedLocally] ?? 0,
    decidedByPolicy: numbers[COUNT.decidedByPolicy] ?? 0,
    waited: numbers[COUNT.waited] ?? 0,
    waitedMs: numbers[COUNT.waitedMs] ?? 0,
    abandoned: numbers[COUNT.abandoned] ?? 0,
    penaltyPoints: numbers[COUNT.penaltyPoints] ?? 0,
  }
}
