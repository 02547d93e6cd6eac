import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answersIn } from '#testing/limits/receipts.ts'
import { type Step, toOperation } from '../../../../testing/limits/harness.ts'
import { leakyBucketHistories, tokenBucketHistories } from '../../../../testing/limits/histories/buckets.ts'
import { concurrencyHistories } from '../../../../testing/limits/histories/concurrency.ts'
import { fixedWindowHistories } from '../../../../testing/limits/histories/fixed-window.ts'
import { slidingWindowCounterHistories } from '../../../../testing/limits/histories/sliding-window-counter.ts'
import { slidingWindowLogHistories } from '../../../../testing/limits/histories/sliding-window-log.ts'
import { type HistoryOptions, historyArbitrary } from '../../../../testing/limits/histories.ts'
import type { Operation } from '../../store.ts'
import { MemoryStore } from './memory-store.ts'

const all: readonly HistoryOptions[] = [
  leakyBucketHistories,
  tokenBucketHistories,
  concurrencyHistories,
  fixedWindowHistories,
  slidingWindowCounterHistories,
  slidingWindowLogHistories,
]

/** What the charges of each step would be answered after it, where every second was forced. */
function played(steps: readonly Step[], force: (store: MemoryStore, operation: Operation, now: number) => void) {
  let now = 0
  // With so little room some keys are put out, and the hot ones stay.
  const store = new MemoryStore({ now: () => now }, { maxKeys: 2, sweptPerCharge: 0 })
  return steps.map((step, index) => {
    now = step.at
    const { charges } = toOperation(step)
    if (index % 2 === 0) force(store, { type: 'force', charges }, now)
    else store.apply(toOperation(step))
    return answersIn(store.apply({ type: 'peek', charges }))
  })
}

test('what another store has taken is counted as if it were forced', () => {
  fc.assert(
    fc.property(fc.oneof(...all.map(historyArbitrary)), (steps) => {
      const counted = played(steps, (store, { charges }, now) => {
        for (const charge of charges) store.count(charge, now)
      })
      expect(counted).toEqual(played(steps, (store, operation) => store.apply(operation)))
    }),
    { numRuns: 1_000 },
  )
})
