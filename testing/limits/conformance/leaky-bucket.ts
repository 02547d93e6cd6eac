import { describe, expect, test } from 'vitest'
import type { Charge, RuleAnswer } from '#server/limits/store.ts'
import { type BucketOfTest, leakyBucketRule } from '../buckets.ts'
import { makeCharge } from '../charges.ts'
import type { Step, StoreHarness } from '../harness.ts'

const START = 1_763_700_000_000

// On Redis a key expires in real time, so all of these buckets take long to empty.

function at(after: number, rule: BucketOfTest, cost = 1): Step {
  return { at: START + after, charges: [drops(rule, cost)] }
}

function drops(rule: BucketOfTest, cost = 1): Charge {
  return makeCharge('leaky-bucket', 'a', [leakyBucketRule(rule)], cost)
}

function admitted(answers: readonly (readonly RuleAnswer[])[]): number {
  return answers.filter((each) => each.every(({ waitMs }) => waitMs === 0)).length
}

/** Tests the leaky bucket of every store. */
export function describeLeakyBucket(name: string, open: () => Promise<StoreHarness>): void {
  describe(`leaky-bucket ${name}`, () => {
    test('holds its capacity, leaks steadily, and reports what remains, the next permit and the wait', async () => {
      await using store = await open()
      const rule = { limit: 6, window: 360_000, capacity: 3 }
      const steps = [0, 12_000, 30_000, 59_999, 60_000].map((after) => at(after, rule))
      expect((await store.play(steps)).flat()).toEqual([
        { remaining: 2, resetMs: 60_000, waitMs: 0, delayMs: 0 },
        { remaining: 1, resetMs: 48_000, waitMs: 0, delayMs: 0 },
        { remaining: 0, resetMs: 30_000, waitMs: 0, delayMs: 0 },
        { remaining: 0, resetMs: 1, waitMs: 1, delayMs: 0 },
        { remaining: 0, resetMs: 60_000, waitMs: 0, delayMs: 0 },
      ])
    })

    test('keeps the remainder: at 10 per minute, two calls every 11.94 s are allowed for an hour', async () => {
      await using store = await open()
      const rule = { limit: 10, window: 60_000, capacity: 6 }
      const steps = Array.from({ length: 604 }, (_, i) => at(Math.floor(i / 2) * 11_940, rule))
      expect(admitted(await store.play(steps))).toBe(604)
    })

    test('keeps the remainder: a flood of an hour gets the capacity and what leaked, 425 calls', async () => {
      await using store = await open()
      const rule = { limit: 7, window: 60_000, capacity: 5 }
      const [first = at(0, rule), ...steps] = Array.from({ length: 2_001 }, (_, i) => at(i * 1_800, rule))
      // Sent alone first, so that Redis knows the script before the flood.
      expect(admitted(await store.play([first]))).toBe(1)
      expect(admitted(await store.play(steps))).toBe(5 + 7 * 60 - 1)
    })

    test('nothing leaked is not everything leaked: 5 of 100 calls in one millisecond are allowed', async () => {
      await using store = await open()
      const steps = Array.from({ length: 100 }, () => at(0, { limit: 5, window: 60_000 }))
      expect((await store.play(steps)).map((each) => admitted([each]))).toEqual(steps.map((_, i) => (i < 5 ? 1 : 0)))
    })

    test('a clock that steps back leaks nothing, empties nothing, and gives the wait from then', async () => {
      await using store = await open()
      const rule = { limit: 2, window: 120_000 }
      const steps = [0, 0, -5_000, -4_000, 59_999, 60_000].map((after) => at(after, rule))
      expect((await store.play(steps)).flat()).toEqual([
        { remaining: 1, resetMs: 60_000, waitMs: 0, delayMs: 0 },
        { remaining: 0, resetMs: 60_000, waitMs: 0, delayMs: 0 },
        { remaining: 0, resetMs: 65_000, waitMs: 65_000, delayMs: 0 },
        { remaining: 0, resetMs: 64_000, waitMs: 64_000, delayMs: 0 },
        { remaining: 0, resetMs: 1, waitMs: 1, delayMs: 0 },
        { remaining: 0, resetMs: 60_000, waitMs: 0, delayMs: 0 },
      ])
    })

    test('a queue gives each call its turn, one drop after the other, instead of only metering', async () => {
      await using store = await open()
      const rule = { limit: 10, window: 600_000, capacity: 5, maxDelayMs: 180_000 }
      const steps = [0, 0, 0, 0, 0, 59_999, 60_000].map((after) => at(after, rule))
      expect((await store.play(steps)).flat()).toEqual([
        { remaining: 4, resetMs: 60_000, waitMs: 0, delayMs: 0 },
        { remaining: 3, resetMs: 60_000, waitMs: 0, delayMs: 60_000 },
        { remaining: 2, resetMs: 60_000, waitMs: 0, delayMs: 120_000 },
        { remaining: 1, resetMs: 60_000, waitMs: 0, delayMs: 180_000 },
        { remaining: 1, resetMs: 60_000, waitMs: 60_000, delayMs: 0 },
        { remaining: 1, resetMs: 1, waitMs: 1, delayMs: 0 },
        { remaining: 1, resetMs: 60_000, waitMs: 0, delayMs: 180_000 },
      ])
    })

    test('a queue waits for room and for a turn within its delay, whichever is later', async () => {
      await using store = await open()
      const near = { limit: 1, window: 60_000, capacity: 5, maxDelayMs: 30_000 }
      const far = { ...near, maxDelayMs: 3_600_000 }
      const steps = [at(0, far, 3), at(0, near), at(0, far, 4), at(149_999, near), at(150_000, near)]
      expect((await store.play(steps)).flat()).toEqual([
        { remaining: 2, resetMs: 60_000, waitMs: 0, delayMs: 0 },
        { remaining: 2, resetMs: 60_000, waitMs: 150_000, delayMs: 0 },
        { remaining: 2, resetMs: 60_000, waitMs: 120_000, delayMs: 0 },
        { remaining: 4, resetMs: 30_001, waitMs: 1, delayMs: 0 },
        { remaining: 3, resetMs: 30_000, waitMs: 0, delayMs: 30_000 },
      ])
    })

    test('turns keep the remainder: at 3 per 100 s calls leave after 0, 33.334, 66.667 and 100 s', async () => {
      await using store = await open()
      const rule = { limit: 3, window: 100_000, capacity: 10, maxDelayMs: 100_000 }
      const answers = await store.play([0, 0, 0, 0].map((after) => at(after, rule)))
      expect(answers.flat().map(({ delayMs }) => delayMs)).toEqual([0, 33_334, 66_667, 100_000])
    })

    test('a changed limit keeps the level: raised it allows more, lowered nothing until enough leaks', async () => {
      await using store = await open()
      const rule = (limit: number) => ({ limit, window: 60_000 })
      const steps = [at(0, rule(3), 3), at(0, rule(7), 1), at(0, rule(3), 1), at(0, rule(3), 1), at(0, rule(8), 4)]
      expect((await store.play(steps)).flat()).toEqual([
        { remaining: 0, resetMs: 20_000, waitMs: 0, delayMs: 0 },
        { remaining: 3, resetMs: 8_572, waitMs: 0, delayMs: 0 },
        { remaining: 0, resetMs: 40_000, waitMs: 40_000, delayMs: 0 },
        { remaining: 0, resetMs: 40_000, waitMs: 40_000, delayMs: 0 },
        { remaining: 0, resetMs: 7_500, waitMs: 0, delayMs: 0 },
      ])
    })
  })
}
