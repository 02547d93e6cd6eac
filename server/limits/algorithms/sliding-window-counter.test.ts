import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeCharge, plainRule } from '../../../testing/limits/charges.ts'
import { memoryHarness } from '../../../testing/limits/harness.ts'
import { SlidingWindowCounter } from './sliding-window-counter.ts'

const WINDOW_MS = 60_000
const LIMIT = 10

function call(isWhole: boolean, cost = 1) {
  return makeCharge('sliding-window-counter', 'a', [{ ...plainRule(LIMIT, WINDOW_MS), samples: 6, isWhole }], cost)
}

/** The most permits that any window of any position holds. */
async function mostInAnyWindow(isWhole: boolean, calls: readonly { readonly at: number; readonly cost: number }[]) {
  await using store = await memoryHarness()
  const answers = await store.play(calls.map(({ at, cost }) => ({ at, charges: [call(isWhole, cost)] })))
  const admitted = calls.filter((_, i) => answers[i]?.[0]?.waitMs === 0)
  const sums = admitted.map(({ at: end }) =>
    admitted.filter(({ at }) => at > end - WINDOW_MS && at <= end).reduce((sum, { cost }) => sum + cost, 0),
  )
  return Math.max(0, ...sums)
}

test('with the oldest counted whole no window of any position holds more than the limit', async () => {
  const step = fc.oneof(
    fc.integer({ min: 0, max: 3_000 }),
    fc.constantFrom(1, 9_999, 10_000, 10_001, 50_000, 59_999, 60_000),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ step, cost: fc.integer({ min: 1, max: 4 }) }), { minLength: 1, maxLength: 150 }),
      async (steps) => {
        const instants = steps.map((_, i) => steps.slice(0, i + 1).reduce((sum, { step }) => sum + step, 0))
        const calls = steps.map(({ cost }, i) => ({ at: instants[i] ?? 0, cost }))
        expect(await mostInAnyWindow(true, calls)).toBeLessThanOrEqual(LIMIT)
      },
    ),
    { numRuns: 500 },
  )
})

test('the oldest weighted by its overlap can let more pass while it leaves; counted whole it cannot', async () => {
  const burst = Array.from({ length: 10 }, () => ({ at: 9_999, cost: 1 }))
  const calls = [...burst, ...Array.from({ length: 10 }, () => ({ at: 65_000, cost: 1 }))]
  expect([await mostInAnyWindow(false, calls), await mostInAnyWindow(true, calls)]).toEqual([15, 10])
})

test('a ledger says when nothing of it counts any more: the end of its newest sub-window, and a window more', () => {
  const ledger = new SlidingWindowCounter()
  expect(ledger.emptyAt).toBe(0)
  ledger.take(12_345, call(false), [])
  expect(ledger.emptyAt).toBe(80_000)
  expect(ledger.ask(79_999, call(false))).toEqual([{ remaining: 9, resetMs: 1, waitMs: 0, delayMs: 0 }])
  expect(ledger.ask(80_000, call(false))).toEqual([{ remaining: 10, resetMs: 0, waitMs: 0, delayMs: 0 }])
})
