import fc from 'fast-check'
import { expect } from 'vitest'
import { seed } from '../sampled.ts'
import { memoryHarness, redisHarness, type Step, toOperation } from './harness.ts'
import { type HistoryOptions, historyArbitrary } from './histories.ts'
import { playModel } from './model.ts'

/** How many histories share a connection; they share nothing else. */
const AT_ONCE = 50

/** Plays this many random histories on Redis, in process and in the model. Asserts that all give the same answers, and that every
 *  remaining key expires. */
export async function expectDecidedAlike(url: string, options: HistoryOptions, histories: number): Promise<void> {
  await using store = await redisHarness(url)
  let batch = 0
  const several = fc.array(historyArbitrary(options), { minLength: AT_ONCE, maxLength: AT_ONCE })
  await fc.assert(
    fc.asyncProperty(several, async (histories) => {
      await using inProcess = await memoryHarness()
      batch += 1
      const steps = histories.flatMap((history, i) => history.map((step) => withOwnKeys(step, `${batch}:${i}`)))
      const decided = await store.play(steps)
      expect(decided).toEqual(await inProcess.play(steps))
      expect(decided).toEqual(playModel(steps))
    }),
    { seed, numRuns: histories / AT_ONCE },
  )
  expect(await store.keysWithoutExpiry()).toEqual([])
}

function withOwnKeys(step: Step, prefix: string): Step {
  const operation = toOperation(step)
  const charges = operation.charges.map((charge) => ({ ...charge, key: `${prefix}:${charge.key}` }))
  return { at: step.at, operation: { ...operation, charges } }
}
