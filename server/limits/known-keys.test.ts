import { expect, test } from 'vitest'
import { answersIn, makeReceipt } from '#testing/limits/receipts.ts'
import { chargesOf } from './charges.ts'
import { decide } from './decision.ts'
import { KnownKeys } from './known-keys.ts'
import { compileRuleSets } from './rules/compile.ts'
import { MemoryStore } from './stores/memory/memory-store.ts'
import { RefusalCache } from './stores/refusals/refusal-cache.ts'

const sets = compileRuleSets('list', [{ by: 'user', rules: [{ limit: 1, window: '1m' }] }])
const caller = { address: '192.0.2.1', userId: 'ann', shared: false }
const clock = { now: () => 0 }

/** One call's, which knows its key by those before. */
function charges() {
  return chargesOf([{ sets, caller }], { now: 0, aheadMs: 0, lease: () => '' })
}

test('stores that count the same key do not see each other, nor what they have forgotten', () => {
  const [one, other] = [new MemoryStore(clock), new MemoryStore(clock)]
  const take = (store: MemoryStore) => answersIn(store.apply({ type: 'take', charges: charges() }))[0]?.waitMs
  expect([one, one, other, one, other].map(take)).toEqual([0, 60_000, 0, 60_000, 60_000])
  one.apply({ type: 'reset', charges: charges() })
  expect([one, one, other].map(take)).toEqual([0, 60_000, 60_000])
})

test('a refusal that was forgotten or evicted is not recalled', () => {
  const cache = new RefusalCache(2)
  const answers = [{ remaining: 0, resetMs: 60_000, waitMs: 60_000, delayMs: 0 }]
  const remember = (asked = charges()) => cache.remember(makeReceipt(asked, answers), cache.returns, 0)
  const recalled = (other = cache) => {
    const receipt = other.recall(charges(), 0)
    return receipt && decide(receipt).retryAfterMs
  }
  remember()
  expect([recalled(), recalled(), recalled(new RefusalCache())]).toEqual([60_000, 60_000, null])
  cache.forget(charges().map(({ key }) => key))
  expect(recalled()).toBe(null)
  remember()
  cache.clear()
  expect(recalled()).toBe(null)
  remember()
  expect(recalled()).toBe(60_000)
  for (const key of ['b', 'c']) remember(charges().map((charge) => ({ ...charge, key, known: undefined })))
  expect(recalled()).toBe(null)
})

test('each set of a subject has a key of its own, which is kept through as many others as a generation has', () => {
  const keys = new KnownKeys()
  const three = ['a', 'b', 'c'].flatMap((name) =>
    compileRuleSets(name, [{ by: 'user', rules: [{ limit: 1, window: '1m' }] }]),
  )
  const spell = (set: { facts: { name: string } }, subject: string) => `${subject}:${set.facts.name}`
  const ofAnn = (order = three) => order.map((set) => keys.get(set, 'ann', spell))
  const others = (from: number, count: number) => {
    for (let other = from; other < from + count; other += 1)
      for (const set of three) keys.get(set, `user-${other}`, spell)
  }
  const known = ofAnn()
  expect(known.map(({ key }) => key)).toEqual(['ann:a', 'ann:b', 'ann:c'])
  // Of the old ones the middle, the last and the first are young again in turn.
  for (const order of [
    [1, 2, 0],
    [0, 1, 2],
    [2, 1, 0],
  ]) {
    others(0, 11_000)
    const picked = order.flatMap((index) => three[index] ?? [])
    for (const [place, index] of order.entries()) expect(ofAnn(picked)[place]).toBe(known[index])
  }
  others(20_000, 22_000)
  for (const [index, key] of ofAnn().entries()) expect(key).not.toBe(known[index])
})
