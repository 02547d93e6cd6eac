import fc from 'fast-check'
import { makeCharge, plainRule } from '../charges.ts'
import { type ChargeArbitrary, type HistoryOptions, START } from '../histories.ts'

/** Boundaries as irregular as those of a calendar. A caller lists the four around its own time. */
const BORDERS = [-230_000, -140_000, -60_000, -35_000, 5_000, 50_000, 130_000, 155_000, 260_000, 330_000]

const fromFirstHit = fc.constant<readonly number[]>([])
const aligned = fc.constant<readonly number[]>([START - 7 * 30_000 - 12_345])
const calendar = fc
  .nat({ max: BORDERS.length - 4 })
  .map((first) => BORDERS.slice(first, first + 4).map((border) => START + border))

interface Kind {
  readonly windowMs: number
  readonly maxLimit: number
  readonly boundaries: fc.Arbitrary<readonly number[]>
}

/** A key expires with its last window in real time. This window does not end during a history. */
const ENDLESS = { windowMs: 10 * 86_400_000, maxLimit: 60, boundaries: fromFirstHit }

/** Up to three keys: windows from the first hit, aligned windows, and those of a calendar of which callers know different parts. */
export const fixedWindowHistories: HistoryOptions = {
  charges: [
    charges('fixed-1', [{ windowMs: 30_000, maxLimit: 8, boundaries: fromFirstHit }, ENDLESS]),
    charges('fixed-2', [
      { windowMs: 30_000, maxLimit: 8, boundaries: aligned },
      { windowMs: 120_000, maxLimit: 12, boundaries: fromFirstHit },
      ENDLESS,
    ]),
    charges('fixed-3', [{ windowMs: 90_000, maxLimit: 8, boundaries: calendar }, ENDLESS]),
  ],
  stepsMs: [12_344, 12_345, 29_999, 30_000, 30_001, 45_000, 50_000, 120_000],
}

function charges(key: string, kinds: readonly Kind[]): ChargeArbitrary {
  return fc
    .record({ rules: fc.tuple(...kinds.map(drawRule)), cost: fc.integer({ min: 1, max: 3 }), blocks: fc.boolean() })
    .map(({ rules, cost, blocks }) =>
      makeCharge(
        'fixed-window',
        key,
        rules.map((rule) => ({ ...rule, blockMs: blocks ? rule.windowMs + 10_000 : 0 })),
        cost,
      ),
    )
}

function drawRule({ windowMs, maxLimit, boundaries }: Kind) {
  return fc
    .record({ limit: fc.integer({ min: 3, max: maxLimit }), boundaries })
    .map((own) => ({ ...plainRule(own.limit, windowMs), calendar: null, boundaries: own.boundaries }))
}
