import { describe, expect, test } from 'vitest'
import type { Operation, RuleAnswer } from '#server/limits/store.ts'
import { type BucketOfTest, tokenBucketRule } from '../buckets.ts'
import { makeCharge } from '../charges.ts'
import type { Step, StoreHarness } from '../harness.ts'

const START = 1_763_700_000_000

// On Redis a key expires in real time, so all of these buckets take long to fill: fast ones are emptied first.

function at(after: number, rule: BucketOfTest, cost = 1, type: Exclude<Operation['type'], 'refund'> = 'take'): Step {
  return { at: START + after, operation: { type, charges: [tokens(rule, cost)] } }
}

function refund(after: number, charged: number, rule: BucketOfTest, cost = 1): Step {
  return { at: START + after, operation: { type: 'refund', charges: [tokens(rule, cost)], at: [START + charged] } }
}

function tokens(rule: BucketOfTest, cost: number) {
  return makeCharge('token-bucket', 'a', [tokenBucketRule(rule)], cost)
}

function passes(answers: readonly RuleAnswer[]): boolean {
  return answers.every(({ waitMs }) => waitMs === 0)
}

/** Tests the token bucket of every store. */
export function describeTokenBucket(name: string, open: () => Promise<StoreHarness>): void {
  describe(`token-bucket ${name}`, () => {
    test('allows its burst at once, then its rate, and never accumulates more than the burst', async () => {
      await using store = await open()
      const rule = { limit: 2, window: 120_000, capacity: 3 }
      const steps = [0, 0, 0, 0, 60_000, 119_999, 120_000, 3_600_000, 3_600_000, 3_600_000, 3_600_000]
      expect((await store.play(steps.map((after) => at(after, rule)))).map(passes)).toEqual(
        [1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 0].map(Boolean),
      )
    })

    test('a cost above what is left is refused, takes nothing, and gets the exact wait', async () => {
      await using store = await open()
      const rule = { limit: 10, window: 600_000 }
      const steps = [at(0, rule, 9), at(0, rule, 5), at(0, rule, 1), at(299_999, rule, 5), at(300_000, rule, 5)]
      expect((await store.play(steps)).flat()).toEqual([
        { remaining: 1, resetMs: 60_000, waitMs: 0, delayMs: 0 },
        { remaining: 1, resetMs: 60_000, waitMs: 240_000, delayMs: 0 },
        { remaining: 0, resetMs: 60_000, waitMs: 0, delayMs: 0 },
        { remaining: 4, resetMs: 1, waitMs: 1, delayMs: 0 },
        { remaining: 0, resetMs: 60_000, waitMs: 0, delayMs: 0 },
      ])
    })

    test('a forced charge leaves a debt of at most one more bucket', async () => {
      await using store = await open()
      const rule = { limit: 10, window: 600_000 }
      const steps = [at(0, rule, 10 ** 12, 'force'), at(0, rule), at(659_999, rule), at(660_000, rule)]
      expect((await store.play(steps)).flat()).toEqual([
        { remaining: 0, resetMs: 660_000, waitMs: 0, delayMs: 0 },
        { remaining: 0, resetMs: 660_000, waitMs: 660_000, delayMs: 0 },
        { remaining: 0, resetMs: 1, waitMs: 1, delayMs: 0 },
        { remaining: 0, resetMs: 60_000, waitMs: 0, delayMs: 0 },
      ])
    })

    test('a cost above the capacity, in a set that refuses nothing, waits for at most two buckets', async () => {
      await using store = await open()
      const window = 31_622_399_999
      const rule = { limit: 1, window, capacity: 99_991 }
      const steps = [at(0, rule, 99_992), at(0, rule, 10 ** 12, 'force'), at(0, rule, 10 ** 12), at(0, rule, 99_991)]
      const [empty, , heavy, full] = (await store.play(steps)).flat()
      expect(empty).toEqual({ remaining: 99_991, resetMs: 0, waitMs: window, delayMs: 0 })
      expect(heavy).toEqual({ remaining: 0, resetMs: 99_992 * window, waitMs: 2 * 99_991 * window, delayMs: 0 })
      expect(full).toEqual(heavy)
    })

    test('at 4 per second tokens return one by one, not four once a second', async () => {
      await using store = await open()
      const rule = { limit: 4, window: 1_000, capacity: 4_000 }
      const steps = [at(0, rule, 4_000), ...[249, 250, 499, 500, 749, 750].map((after) => at(after, rule))]
      expect((await store.play(steps)).map(passes)).toEqual([1, 0, 1, 0, 1, 0, 1].map(Boolean))
    })

    test('rates below one per second are exact: 1 per 10 s and 3 per day', async () => {
      await using store = await open()
      const slow = { limit: 1, window: 10_000 }
      expect((await store.play([0, 9_999, 10_000].map((after) => at(after, slow)))).map(passes)).toEqual([
        true,
        false,
        true,
      ])
      const daily = { limit: 3, window: 86_400_000 }
      const later = 100_000_000
      const steps = [at(later, daily, 3), at(later + 28_799_999, daily), at(later + 28_800_000, daily)]
      expect((await store.play(steps)).map(passes)).toEqual([true, false, true])
    })

    test('rates above 1000 per second are exact: 5000 are 5 per millisecond, 2500 are 5 per two', async () => {
      await using store = await open()
      const rule = { limit: 5_000, window: 1_000, capacity: 2_000_000 }
      const flood = Array.from({ length: 100 }, (_, i) => 1 + Math.floor(i / 10))
      const fast = await store.play([at(0, rule, 2_000_000), ...flood.map((after) => at(after, rule))])
      expect(fast.filter(passes)).toHaveLength(1 + 5 * 10)
      const half = { ...rule, limit: 2_500 }
      const slower = await store.play(flood.map((after) => at(10 + after, half)))
      expect(slower.filter(passes)).toHaveLength(2.5 * 10)
    })

    test('rounds Retry-After up: at 3 per second the wait is 334 ms, and no third is lost', async () => {
      await using store = await open()
      const rule = { limit: 3, window: 1_000, capacity: 600 }
      const steps = [at(0, rule, 600), ...[0, 333, 334, 667, 999, 1_000].map((after) => at(after, rule))]
      expect((await store.play(steps)).flat().map(({ waitMs }) => waitMs)).toEqual([0, 334, 1, 0, 0, 1, 0])
    })

    test('is exact near 2^53: 50 GB a day, to the byte', async () => {
      await using store = await open()
      const rule = { limit: 49_999_999_000, window: 86_400_000, capacity: 49_999_999_999 }
      const steps = [
        at(0, rule, 49_999_999_998),
        at(0, rule, 2),
        at(1, rule, 580),
        at(86_400_000, rule, 49_999_999_000),
      ]
      expect((await store.play(steps)).flat()).toEqual([
        { remaining: 1, resetMs: 1, waitMs: 0, delayMs: 0 },
        { remaining: 1, resetMs: 1, waitMs: 1, delayMs: 0 },
        { remaining: 579, resetMs: 1, waitMs: 1, delayMs: 0 },
        { remaining: 1, resetMs: 1, waitMs: 0, delayMs: 0 },
      ])
    })

    test('a refund returns what cannot have leaked since', async () => {
      await using store = await open()
      const rule = { limit: 10, window: 600_000 }
      const peek = (after: number) => at(after, rule, 1, 'peek')
      const steps = [
        ...[at(0, rule, 6), refund(0, 0, rule, 2), peek(0)],
        ...[at(60_000, rule, 5), refund(120_000, 60_000, rule, 5), peek(120_000)],
        ...[refund(540_000, 60_000, rule, 5), peek(540_000)],
      ]
      expect((await store.play(steps)).flat().map(({ remaining }) => remaining)).toEqual([4, 6, 2, 7, 10])
    })

    test('a refund creates no key, and returns nothing of a charge before a reset', async () => {
      await using store = await open()
      const rule = { limit: 2, window: 60_000 }
      const steps = [refund(0, 0, rule), at(0, rule, 2), at(1, rule, 1, 'reset'), at(2, rule, 2), refund(2, 0, rule, 2)]
      expect((await store.play([...steps, at(2, rule)])).flat().map(({ remaining }) => remaining)).toEqual([0, 0, 0])
    })

    test('a refund returns nothing of what has overflowed', async () => {
      await using store = await open()
      const rule = { limit: 10, window: 600_000 }
      const steps = [
        at(0, rule, 10),
        at(0, rule, 8, 'force'),
        at(0, rule, 9, 'force'),
        refund(0, 0, rule, 9),
        at(0, rule),
      ]
      expect((await store.play(steps)).flat().map(({ resetMs }) => resetMs)).toEqual([
        60_000, 540_000, 660_000, 660_000,
      ])
    })
  })
}
