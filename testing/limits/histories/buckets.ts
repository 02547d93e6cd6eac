import fc from 'fast-check'
import type { BaseRule } from '#server/limits/rules/compiled.ts'
import { type BucketOfTest, leakyBucketRule, tokenBucketRule } from '../buckets.ts'
import { makeCharge } from '../charges.ts'
import type { ChargeArbitrary, HistoryOptions } from '../histories.ts'

const MINUTES = 60_000

// Keys expire in real time, but a test has its own time. The buckets are so slow that a single charge outlives a test.
const slow = fc.record({ limit: fc.integer({ min: 3, max: 8 }), capacity: fc.integer({ min: 3, max: 8 }) })
/** Buckets of bytes near the largest exact numbers, with scales that share few factors. */
const large = fc.record({
  limit: fc.integer({ min: 30_000_000, max: 50_000_000 }).map((thousands) => thousands * 1_000),
  capacity: fc.constantFrom(30_000_000_001, 39_999_999_999, 50_000_000_000),
})
const stepsMs = [75_000, 85_714, 85_715, 100_000, 120_000, 150_000, 200_000, 600_000, 3_600_000]
const fewCalls = fc.integer({ min: 1, max: 3 })
const manyBytes = fc.integer({ min: 1_000_000_000, max: 30_000_000_000 })

/** Meters and queues of one, two and three rules. */
export const leakyBucketHistories: HistoryOptions = {
  charges: [
    charges(leaky, 'meter', [10 * MINUTES], slow, fewCalls, [-1]),
    charges(leaky, 'queue', [10 * MINUTES], slow, fewCalls, [0, 60_000, 100_000, 300_000]),
    charges(leaky, 'both', [10 * MINUTES, 11 * MINUTES, 60 * MINUTES], slow, fewCalls, [-1, 200_000]),
    charges(leaky, 'bytes', [1_440 * MINUTES], large, manyBytes, [-1, 3_600_000]),
  ],
  stepsMs,
}

/** Up to three keys of one, two and three rules, one of bytes. */
export const tokenBucketHistories: HistoryOptions = {
  charges: [
    charges(token, 'token-1', [10 * MINUTES], slow, fewCalls, [-1]),
    charges(token, 'token-3', [10 * MINUTES, 11 * MINUTES, 60 * MINUTES], slow, fewCalls, [-1]),
    charges(token, 'token-bytes', [1_440 * MINUTES], large, manyBytes, [-1]),
  ],
  stepsMs,
}

function leaky(key: string, rules: readonly BucketOfTest[], blocks: boolean, cost: number) {
  return makeCharge('leaky-bucket', key, blocking(rules.map(leakyBucketRule), blocks), cost)
}

function token(key: string, rules: readonly BucketOfTest[], blocks: boolean, cost: number) {
  return makeCharge('token-bucket', key, blocking(rules.map(tokenBucketRule), blocks), cost)
}

function blocking<R extends BaseRule>(rules: readonly R[], blocks: boolean): R[] {
  return rules.map((rule) => ({ ...rule, blockMs: blocks ? 700_000 : 0 }))
}

function charges(
  charge: typeof leaky | typeof token,
  key: string,
  windows: readonly number[],
  amounts: fc.Arbitrary<{ readonly limit: number; readonly capacity: number }>,
  cost: fc.Arbitrary<number>,
  delays: readonly number[],
): ChargeArbitrary {
  const rules = fc.tuple(
    ...windows.map((window) =>
      fc
        .tuple(amounts, fc.constantFrom(...delays))
        .map(([own, maxDelayMs]): BucketOfTest => ({ ...own, window, maxDelayMs })),
    ),
  )
  const blocks = fc.nat({ max: 3 }).map((n) => n === 0)
  return fc.tuple(rules, blocks, cost).map(([own, isBlocking, permits]) => charge(key, own, isBlocking, permits))
}
