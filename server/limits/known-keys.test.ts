import { expect, test } from 'vitest'
import { chargesOf } from './charges.ts'
import { RefusalMemory } from './deciders/refusal-memory.ts'
import { decide } from './decision.ts'
import { nothingTaken } from './permit.ts'
import { compileRuleSets } from './rules/compile.ts'
import { MemoryStore } from './stores/memory-store.ts'

const sets = compileRuleSets('list', [{ by: 'user', rules: [{ limit: 1, window: '1m' }] }])
const caller = { address: '192.0.2.1', userId: 'ann', shared: false }
const clock = { now: () => 0 }

/** One call's, which knows its key by those before. */
function charges() {
  return chargesOf([{ sets, caller }], { now: 0, aheadMs: 0, lease: () => '' })
}

test('stores that count the same key know nothing of each other, and none what it has forgotten', () => {
  const [one, other] = [new MemoryStore(clock), new MemoryStore(clock)]
  const take = (store: MemoryStore) => store.applyNow({ type: 'take', charges: charges() }).answers[0]?.waitMs
  expect([one, one, other, one, other].map(take)).toEqual([0, 60_000, 0, 60_000, 60_000])
  one.applyNow({ type: 'reset', charges: charges() })
  expect([one, one, other].map(take)).toEqual([0, 60_000, 60_000])
})

test('a refusal that is forgotten, or has made room, is recalled by nobody', () => {
  const memory = new RefusalMemory(2)
  const answers = [{ remaining: 0, resetMs: 60_000, waitMs: 60_000, delayMs: 0 }]
  const remember = (asked = charges()) =>
    memory.remember(nothingTaken(decide(asked, answers, 'store'), asked, answers), memory.returns, 0)
  const recalled = (other = memory) => other.recall(charges(), 0)?.decision.retryAfterMs ?? null
  remember()
  expect([recalled(), recalled(), recalled(new RefusalMemory())]).toEqual([60_000, 60_000, null])
  memory.forget(charges().map(({ key }) => key))
  expect(recalled()).toBe(null)
  remember()
  memory.clear()
  expect(recalled()).toBe(null)
  remember()
  expect(recalled()).toBe(60_000)
  for (const key of ['b', 'c']) remember(charges().map((charge) => ({ ...charge, key, known: undefined })))
  expect(recalled()).toBe(null)
})
