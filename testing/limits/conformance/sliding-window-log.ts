import { describe, expect, test } from 'vitest'
import type { RuleAnswer } from '#server/limits/store.ts'
import { charge } from '../charges.ts'
import type { StoreHarness } from '../harness.ts'

const START = 1_763_700_000_000

function passes(answers: readonly RuleAnswer[]): boolean {
  return answers.every((answer) => answer.waitMs === 0)
}

/** Tests the sliding window log of every store. */
export function describeSlidingWindowLog(name: string, open: () => Promise<StoreHarness>): void {
  describe(name, () => {
    test('allows the limit, and reports the remaining permits, when permits return, and the exact wait', async () => {
      await using store = await open()
      const call = [charge('a', [[2, 60_000]])]
      expect(await store.play([0, 10_000, 20_000].map((after) => ({ at: START + after, charges: call })))).toEqual([
        [{ remaining: 1, resetMs: 60_000, waitMs: 0, delayMs: 0 }],
        [{ remaining: 0, resetMs: 50_000, waitMs: 0, delayMs: 0 }],
        [{ remaining: 0, resetMs: 40_000, waitMs: 40_000, delayMs: 0 }],
      ])
    })

    test('allows a caller exactly after the stated wait', async () => {
      await using store = await open()
      const call = [charge('a', [[2, 60_000]], 2)]
      const at = (after: number) => ({ at: START + after, charges: call })
      expect((await store.play([at(0), at(1), at(59_999), at(60_000)])).flat()).toEqual([
        { remaining: 0, resetMs: 60_000, waitMs: 0, delayMs: 0 },
        { remaining: 0, resetMs: 59_999, waitMs: 59_999, delayMs: 0 },
        { remaining: 0, resetMs: 1, waitMs: 1, delayMs: 0 },
        { remaining: 0, resetMs: 60_000, waitMs: 0, delayMs: 0 },
      ])
    })

    test('never allows a cost above its limit, even unused, as a set that refuses nothing may have', async () => {
      await using store = await open()
      const at = (after: number, cost: number) => {
        const rules = [
          [3, 1_000],
          [5, 60_000],
        ] as const
        return { at: START + after, charges: [charge('a', rules, cost)] }
      }
      expect(await store.play([at(0, 4), at(0, 6), at(0, 2), at(1_000, 4), at(1_000, 3)])).toEqual([
        [
          { remaining: 3, resetMs: 0, waitMs: 1_000, delayMs: 0 },
          { remaining: 5, resetMs: 0, waitMs: 0, delayMs: 0 },
        ],
        [
          { remaining: 3, resetMs: 0, waitMs: 1_000, delayMs: 0 },
          { remaining: 5, resetMs: 0, waitMs: 60_000, delayMs: 0 },
        ],
        [
          { remaining: 1, resetMs: 1_000, waitMs: 0, delayMs: 0 },
          { remaining: 3, resetMs: 60_000, waitMs: 0, delayMs: 0 },
        ],
        [
          { remaining: 3, resetMs: 0, waitMs: 1_000, delayMs: 0 },
          { remaining: 3, resetMs: 59_000, waitMs: 59_000, delayMs: 0 },
        ],
        [
          { remaining: 0, resetMs: 1_000, waitMs: 0, delayMs: 0 },
          { remaining: 0, resetMs: 59_000, waitMs: 0, delayMs: 0 },
        ],
      ])
    })

    test('excludes the window’s end: a steady 5 per second, every 200 ms, is never refused', async () => {
      await using store = await open()
      const steps = Array.from({ length: 60 }, (_, i) => ({
        at: START + i * 200,
        charges: [charge('a', [[5, 1_000]])],
      }))
      expect((await store.play(steps)).filter(passes)).toHaveLength(60)
    })

    test('counts each of 100 calls in one millisecond', async () => {
      await using store = await open()
      const steps = Array.from({ length: 100 }, () => ({ at: START, charges: [charge('a', [[5, 60_000]])] }))
      expect((await store.play(steps)).map(passes)).toEqual(steps.map((_, i) => i < 5))
    })

    test('reports the longest wait of several rules, not the first', async () => {
      await using store = await open()
      const call = [
        charge('a', [
          [1, 1_000],
          [1, 60_000],
        ]),
      ]
      const [, refused] = await store.play([
        { at: START, charges: call },
        { at: START + 100, charges: call },
      ])
      expect(refused?.map((answer) => answer.waitMs)).toEqual([900, 59_900])
    })

    test('a refusal charges nothing: neither the other rules nor the other keys', async () => {
      await using store = await open()
      const both = [charge('narrow', [[1, 60_000]]), charge('wide', [[3, 60_000]])]
      const wide = [charge('wide', [[3, 60_000]])]
      const steps = [both, both, both, wide].map((charges) => ({ at: START, charges }))
      expect((await store.play(steps)).map((answers) => answers.map((answer) => answer.remaining))).toEqual([
        [0, 2],
        [0, 2],
        [0, 2],
        [1],
      ])
    })

    test('a short rule does not trim what a longer one of the same key still counts', async () => {
      await using store = await open()
      const rules = [
        [5, 1_000],
        [10, 60_000],
      ] as const
      const steps = Array.from({ length: 40 }, (_, i) => ({ at: START + i * 1_000, charges: [charge('a', rules)] }))
      expect((await store.play(steps)).filter(passes)).toHaveLength(10)
    })

    test('a cost takes that many permits, and waits until that many are free', async () => {
      await using store = await open()
      const at = (after: number, cost: number) => ({ at: START + after, charges: [charge('a', [[10, 60_000]], cost)] })
      expect((await store.play([at(0, 3), at(1_000, 1), at(2_000, 5), at(3_000, 4), at(3_000, 1)])).flat()).toEqual([
        { remaining: 7, resetMs: 60_000, waitMs: 0, delayMs: 0 },
        { remaining: 6, resetMs: 59_000, waitMs: 0, delayMs: 0 },
        { remaining: 1, resetMs: 58_000, waitMs: 0, delayMs: 0 },
        { remaining: 1, resetMs: 57_000, waitMs: 57_000, delayMs: 0 },
        { remaining: 0, resetMs: 57_000, waitMs: 0, delayMs: 0 },
      ])
    })

    test('totals with more digits stay in order', async () => {
      await using store = await open()
      const at = (after: number, cost: number) => ({
        at: START + after,
        charges: [charge('a', [[10 ** 12, 60_000]], cost)],
      })
      const costs = [9, 1, 89, 1, 10 ** 11, 9 * 10 ** 11 - 100]
      const answers = await store.play([...costs.map((cost) => at(0, cost)), at(0, 1), at(59_999, 1), at(60_000, 1)])
      expect(answers.map(([answer]) => [answer?.remaining, answer?.waitMs])).toEqual([
        [10 ** 12 - 9, 0],
        [10 ** 12 - 10, 0],
        [10 ** 12 - 99, 0],
        [10 ** 12 - 100, 0],
        [9 * 10 ** 11 - 100, 0],
        [0, 0],
        [0, 60_000],
        [0, 1],
        [10 ** 12 - 1, 0],
      ])
    })

    test('a clock that steps back gives no negative wait, allows no call, and frees nothing early', async () => {
      await using store = await open()
      const call = [charge('a', [[2, 60_000]])]
      const at = (after: number) => ({ at: START + after, charges: call })
      expect((await store.play([at(0), at(-30_000), at(-30_000), at(59_999), at(60_000)])).flat()).toEqual([
        { remaining: 1, resetMs: 60_000, waitMs: 0, delayMs: 0 },
        { remaining: 0, resetMs: 90_000, waitMs: 0, delayMs: 0 },
        { remaining: 0, resetMs: 90_000, waitMs: 90_000, delayMs: 0 },
        { remaining: 0, resetMs: 1, waitMs: 1, delayMs: 0 },
        { remaining: 1, resetMs: 60_000, waitMs: 0, delayMs: 0 },
      ])
    })

    test('a lowered limit counts the usage so far, and never less than nothing remains', async () => {
      await using store = await open()
      const at = (after: number, limit: number) => ({ at: START + after, charges: [charge('a', [[limit, 60_000]])] })
      expect((await store.play([at(0, 3), at(1, 3), at(2, 3), at(3, 2), at(3, 9)])).flat()).toEqual([
        { remaining: 2, resetMs: 60_000, waitMs: 0, delayMs: 0 },
        { remaining: 1, resetMs: 59_999, waitMs: 0, delayMs: 0 },
        { remaining: 0, resetMs: 59_998, waitMs: 0, delayMs: 0 },
        { remaining: 0, resetMs: 59_997, waitMs: 59_998, delayMs: 0 },
        { remaining: 5, resetMs: 59_997, waitMs: 0, delayMs: 0 },
      ])
    })
  })
}
