import fc from 'fast-check'
import { makeCharge, plainRule } from '../charges.ts'
import type { ChargeArbitrary, HistoryOptions } from '../histories.ts'

/** Up to three keys of one, two and three windows. */
export const slidingWindowLogHistories: HistoryOptions = {
  charges: [
    charges('log-1', [30_000]),
    charges('log-2', [30_000, 120_000]),
    charges('log-3', [45_000, 60_000, 600_000]),
  ],
  stepsMs: [29_999, 30_000, 30_001, 45_000, 60_000, 120_000],
}

function charges(key: string, windows: readonly number[]): ChargeArbitrary {
  const limits = fc.array(fc.integer({ min: 3, max: 8 }), { minLength: windows.length, maxLength: windows.length })
  return fc
    .record({ limits, cost: fc.integer({ min: 1, max: 3 }), blocks: fc.boolean() })
    .map(({ limits, cost, blocks }) =>
      makeCharge(
        'sliding-window-log',
        key,
        windows.map((windowMs, i) => ({
          ...plainRule(limits[i] ?? 3, windowMs),
          blockMs: blocks ? windowMs + 10_000 : 0,
        })),
        cost,
      ),
    )
}
