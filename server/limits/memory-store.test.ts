import fc from 'fast-check'
import { expect, test } from 'vitest'
import { charge } from '../../testing/limit-charges.ts'
import { memoryHarness } from '../../testing/limit-harness.ts'
import { historyArbitrary } from '../../testing/limit-histories.ts'
import { playModel } from '../../testing/limit-model.ts'
import { describeLimitStore } from '../../testing/limit-store-conformance.ts'
import { MemoryStore } from './memory-store.ts'

describeLimitStore('in process', memoryHarness)

test('10,000 random histories are decided as the model decides them', async () => {
  await fc.assert(
    fc.asyncProperty(historyArbitrary, async (history) => {
      await using store = await memoryHarness()
      expect(await store.play(history)).toEqual(playModel(history))
    }),
    { numRuns: 10_000 },
  )
})

test('stale keys go as others are charged, and keys in use stay', async () => {
  let now = 0
  const store = new MemoryStore({ now: () => now })
  for (let i = 0; i < 1_000; i += 1) await store.take([charge(`old-${i}`, [[1, 1_000]])])
  expect(store.size).toBe(1_000)
  now = 1_000
  for (let i = 0; i < 600; i += 1) await store.take([charge(`new-${i}`, [[1, 1_000]])])
  expect(store.size).toBe(600)
})

test('a refused call on a new key leaves nothing behind', async () => {
  const store = new MemoryStore({ now: () => 0 })
  await store.take([charge('full', [[1, 1_000]])])
  await store.take([charge('full', [[1, 1_000]]), charge('other', [[1, 1_000]])])
  expect(store.size).toBe(1)
})
