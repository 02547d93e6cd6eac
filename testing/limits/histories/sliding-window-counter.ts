import fc from 'fast-check'
import { makeCharge, plainRule } from '../charges.ts'
import type { ChargeArbitrary, HistoryOptions } from '../histories.ts'

/** Up to three keys of one, two and three windows, with constant samples per key. */
export const slidingWindowCounterHistories: HistoryOptions = {
  charges: [
    charges('counter-1', [[30_000, 10]]),
    charges('counter-2', [
      [30_000, 2],
      [120_000, 10],
    ]),
    charges('counter-3', [
      [21_000, 3],
      [60_000, 6],
      [600_000, 100],
    ]),
  ],
  stepsMs: [2_999, 3_000, 14_999, 15_000, 15_001, 30_000, 32_999, 45_000, 60_000, 120_000, 131_999],
}

function charges(key: string, windows: readonly (readonly [number, number])[]): ChargeArbitrary {
  const own = fc.record({ limit: fc.integer({ min: 3, max: 12 }), isWhole: fc.boolean() })
  return fc
    .record({
      own: fc.array(own, { minLength: windows.length, maxLength: windows.length }),
      cost: fc.integer({ min: 1, max: 3 }),
      blocks: fc.boolean(),
    })
    .map(({ own, cost, blocks }) =>
      makeCharge(
        'sliding-window-counter',
        key,
        windows.map(([windowMs, samples], i) => ({
          ...plainRule(own[i]?.limit ?? 3, windowMs),
          blockMs: blocks ? windowMs + 10_000 : 0,
          samples,
          isWhole: own[i]?.isWhole ?? false,
        })),
        cost,
      ),
    )
}
