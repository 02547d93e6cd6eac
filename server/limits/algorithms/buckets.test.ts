import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BucketOfTest, leakyBucketRule, tokenBucketRule } from '../../../testing/limits/buckets.ts'
import { makeCharge } from '../../../testing/limits/charges.ts'
import type { Charge, RuleAnswer } from '../store.ts'
import { BucketLedger } from './bucket-ledger.ts'
import { convertLevel } from './bucket-level.ts'
import type { Ledger } from './ledger.ts'

const START = 1_763_700_000_000

const bucketArbitrary = fc.record({
  limit: fc.integer({ min: 1, max: 3_000 }),
  window: fc.oneof(fc.integer({ min: 1, max: 5_000 }), fc.constantFrom(1_000, 60_000, 86_400_000)),
  capacity: fc.integer({ min: 3, max: 20 }),
})

/** Calls of a cost of 1 to 3; the pause before each in hundredths of the time in which one permit leaks. */
const callsArbitrary = fc.array(
  fc.record({
    pause: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 })),
    cost: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 80 },
)

interface Call {
  readonly now: number
  readonly cost: number
}

function callsOf(calls: readonly { pause: number; cost: number }[], { limit, window }: BucketOfTest): Call[] {
  let now = START
  return calls.map(({ pause, cost }) => {
    now += Math.round((pause * window) / limit / 100)
    return { now, cost }
  })
}

function tokens(rule: BucketOfTest, cost: number): Charge {
  return makeCharge('token-bucket', 'a', [tokenBucketRule(rule)], cost)
}

function drops(rule: BucketOfTest, cost: number): Charge {
  return makeCharge('leaky-bucket', 'a', [leakyBucketRule(rule)], cost)
}

/** Takes when the rule passes; returns its answer. */
function take(ledger: Ledger, now: number, charge: Charge): RuleAnswer {
  const [asked] = ledger.ask(now, charge)
  if (!asked) throw new Error('a rule without an answer')
  if (asked.waitMs === 0) ledger.take(now, charge, [asked])
  return asked
}

describe('a token bucket', () => {
  test('in any interval of T ms it admits at most its capacity and what leaks in T ms, without any allowance', () => {
    fc.assert(
      fc.property(bucketArbitrary, callsArbitrary, (rule, calls) => {
        const ledger = new BucketLedger('token-bucket')
        const admitted = callsOf(calls, rule).filter(
          ({ now, cost }) => take(ledger, now, tokens(rule, cost)).waitMs === 0,
        )
        for (const [first, { now: from }] of admitted.entries()) {
          let permits = 0
          for (const { now, cost } of admitted.slice(first)) {
            permits += cost
            const most = BigInt(rule.capacity) + (BigInt(rule.limit) * BigInt(now - from)) / BigInt(rule.window)
            expect(BigInt(permits)).toBeLessThanOrEqual(most)
          }
        }
      }),
    )
  })

  test('it never refuses calls at its steady rate, each as soon as a whole millisecond allows', () => {
    fc.assert(
      fc.property(bucketArbitrary, (rule) => {
        // The calls of a millisecond come at once, and one more keeps what a call lost by coming on a whole one.
        const own = { ...rule, capacity: Math.ceil(rule.limit / rule.window) + 1 }
        const ledger = new BucketLedger('token-bucket')
        const calls = Array.from({ length: 300 }, (_, i) => START + Math.ceil((i * own.window) / own.limit))
        take(ledger, START, tokens(own, own.capacity))
        for (const now of calls.slice(1)) expect(take(ledger, now, tokens(own, 1)).waitMs).toBe(0)
      }),
    )
  })

  test('a call after the given wait passes, and one a millisecond earlier does not', () => {
    fc.assert(
      fc.property(bucketArbitrary, callsArbitrary, (rule, calls) => {
        const ledger = new BucketLedger('token-bucket')
        for (const { now, cost } of callsOf(calls, rule)) {
          const { waitMs } = take(ledger, now, tokens(rule, cost))
          if (waitMs === 0) continue
          expect(ledger.ask(now + waitMs - 1, tokens(rule, cost))[0]?.waitMs).toBe(1)
          expect(ledger.ask(now + waitMs, tokens(rule, cost))[0]?.waitMs).toBe(0)
        }
      }),
    )
  })

  test('a refunded charge never allows more than if it had not been made', () => {
    const events = fc.array(
      fc.record({
        pause: fc.integer({ min: 0, max: 300 }),
        cost: fc.integer({ min: 1, max: 6 }),
        isForced: fc.boolean(),
      }),
      { minLength: 2, maxLength: 20 },
    )
    fc.assert(
      fc.property(bucketArbitrary, events, fc.nat(), fc.nat(), (rule, made, chosen, refunded) => {
        const calls = callsOf(made, rule).map((call, i) => ({ ...call, isForced: made[i]?.isForced ?? false }))
        const gone = chosen % calls.length
        const back = gone + (refunded % (calls.length - gone))
        const [charged, never] = [new BucketLedger('token-bucket'), new BucketLedger('token-bucket')]
        for (const [i, { now, cost, isForced }] of calls.entries()) {
          const charge = tokens(rule, cost)
          const at = calls[gone]?.now ?? 0
          // What was admitted beside the charge is admitted without it too: both have the same calls.
          const isTaken = isForced || i === gone || charged.ask(now, charge)[0]?.waitMs === 0
          if (isTaken) charged.take(now, charge, charged.ask(now, charge))
          if (isTaken && i !== gone) never.take(now, charge, never.ask(now, charge))
          if (i === back) charged.refund(now, at, tokens(rule, calls[gone]?.cost ?? 0))
          if (i < back) continue
          const [left, most] = [charged, never].map((ledger) => ledger.ask(now, charge)[0])
          expect(left?.remaining).toBeLessThanOrEqual(most?.remaining ?? Number.NaN)
          expect(left?.waitMs).toBeGreaterThanOrEqual(most?.waitMs ?? Number.NaN)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

test('turns of a queue are in order, one permit apart, rounded up to the millisecond', () => {
  const delays = fc.integer({ min: 0, max: 100_000_000 })
  fc.assert(
    fc.property(bucketArbitrary, delays, callsArbitrary, fc.boolean(), (bucket, maxDelayMs, calls, stepsBack) => {
      const rule = { ...bucket, maxDelayMs }
      const ledger = new BucketLedger('leaky-bucket')
      let poured = 0
      const turns = callsOf(calls, rule).flatMap(({ now, cost }, i) => {
        const time = stepsBack && i % 7 === 6 ? now - 500 : now
        const { waitMs, delayMs } = take(ledger, time, drops(rule, cost))
        if (waitMs > 0) return []
        expect(delayMs).toBeLessThanOrEqual(maxDelayMs)
        poured += cost
        return [{ turn: time + delayMs, before: poured - cost }]
      })
      for (const [first, { turn, before }] of turns.entries()) {
        for (const later of turns.slice(first + 1)) {
          const apart = Math.floor(((later.before - before) * rule.window) / rule.limit)
          expect(later.turn - turn).toBeGreaterThanOrEqual(apart)
        }
      }
    }),
  )
})

test('a level of another scale is rounded up, exactly, however large', () => {
  const windows = fc.integer({ min: 1, max: 366 * 86_400_000 })
  fc.assert(
    fc.property(windows, windows, fc.nat(), fc.nat({ max: 1_000 }), (scale, other, part, permits) => {
      const rule = { ...tokenBucketRule({ limit: 1, window: other }), limit: 2_000, scale: other }
      const level = permits * scale + (part % scale)
      const exact = (BigInt(level) * BigInt(other) + BigInt(scale) - 1n) / BigInt(scale)
      if (scale !== other) expect(BigInt(convertLevel(level, scale, rule))).toBe(exact)
    }),
    { numRuns: 10_000 },
  )
})

test('a bucket answers like an empty one once it is empty, and not before', () => {
  const ledger = new BucketLedger('leaky-bucket')
  const rule = { limit: 3, window: 1_000 }
  expect(ledger.emptyAt).toBe(0)
  take(ledger, START, drops(rule, 2))
  expect(ledger.emptyAt).toBe(START + 667)
  expect(ledger.ask(START + 666, drops(rule, 1))).toEqual([{ remaining: 2, resetMs: 1, waitMs: 0, delayMs: 0 }])
  expect(ledger.ask(START + 667, drops(rule, 1))).toEqual(
    new BucketLedger('leaky-bucket').ask(START + 667, drops(rule, 1)),
  )
})

test('a charge of another algorithm is a bug', () => {
  expect(() => new BucketLedger('leaky-bucket').ask(START, tokens({ limit: 1, window: 1_000 }, 1))).toThrow(
    new TypeError('a token-bucket charge of a leaky-bucket key'),
  )
})
