import { describe, expect, test } from 'vitest'
import { answersIn } from '#testing/limits/receipts.ts'
import { charge } from '../../../../testing/limits/charges.ts'
import { describeConformance } from '../../../../testing/limits/conformance.ts'
import { memoryHarness } from '../../../../testing/limits/harness.ts'
import { MemoryStore } from './memory-store.ts'

describe('in process', () => describeConformance(memoryHarness))

test('stale keys go as others are charged, and keys in use stay', async () => {
  let now = 0
  const store = new MemoryStore({ now: () => now })
  for (let i = 0; i < 1_000; i += 1) await store.apply({ type: 'take', charges: [charge(`old-${i}`, [[1, 1_000]])] })
  expect(store.size).toBe(1_000)
  now = 1_000
  for (let i = 0; i < 600; i += 1) await store.apply({ type: 'take', charges: [charge(`new-${i}`, [[1, 1_000]])] })
  expect(store.size).toBe(600)
})

test('a refused call on a new key leaves nothing behind', async () => {
  const store = new MemoryStore({ now: () => 0 })
  await store.apply({ type: 'take', charges: [charge('full', [[1, 1_000]])] })
  await store.apply({ type: 'take', charges: [charge('full', [[1, 1_000]]), charge('other', [[1, 1_000]])] })
  expect(store.size).toBe(1)
})

test('giving back the first of 200,000 calls forgets no other', () => {
  let now = 0
  const store = new MemoryStore({ now: () => now })
  const charges = [charge('site', [[200_000, 3_600_000]])]
  for (now = 0; now < 200_000; now += 1) store.apply({ type: 'take', charges })
  store.apply({ type: 'refund', charges, at: [0] })
  const answers = answersIn(store.apply({ type: 'peek', charges }))
  expect(answers).toEqual([{ remaining: 1, resetMs: 3_600_000 - 200_000 + 1, waitMs: 0, delayMs: 0 }])
})
