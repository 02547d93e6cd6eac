import { describe, expect, test } from 'vitest'
import { createLimiter, type Limiter } from '../limiter.ts'
import type { RuleSet } from '../rule-set.ts'
import { compileRuleSets } from '../rules/compile.ts'
import { countsOf } from './count-order.ts'

const caller = { address: '192.0.2.1', userId: 'ann', shared: false }
const NOTHING = countsOf([])

function limiterAt() {
  const clock = { time: 0, now: () => clock.time }
  const limiter = createLimiter({ clock })
  const call = async (label: string, sets: readonly RuleSet[]) => {
    await limiter.reserve([{ sets: compileRuleSets('call', sets), caller }], { label })
  }
  return { clock, limiter, call }
}

const set = (name: string, limit: number, more: Partial<RuleSet> = {}): RuleSet => ({
  name,
  by: 'user',
  rules: [{ limit, window: '1s' }],
  ...more,
})

const totals = (limiter: Limiter) => limiter.stats().rows.map(({ minute: _, total, ...row }) => ({ ...row, ...total }))

describe('stats', () => {
  test('counts a call at each rule that allowed it, a refusal at the rule that refused', async () => {
    const { limiter, call } = limiterAt()
    for (let i = 0; i < 3; i += 1) await call('list', [set('narrow', 2), set('wide', 9)])
    expect(totals(limiter)).toEqual([
      { label: 'list', ruleSet: 'narrow', policy: 'narrow-1s', ...NOTHING, passed: 2, refused: 1 },
      { label: 'list', ruleSet: 'wide', policy: 'wide-1s', ...NOTHING, passed: 2 },
    ])
  })

  test('is sorted by label and rule, without duplicates', async () => {
    const { limiter, call } = limiterAt()
    for (const label of ['b', 'a', 'b']) await call(label, [set('y', 9), set('x', 9)])
    expect(totals(limiter).map(({ label, policy, passed }) => [label, policy, passed])).toEqual([
      ['a', 'x-1s', 1],
      ['a', 'y-1s', 1],
      ['b', 'x-1s', 2],
      ['b', 'y-1s', 2],
    ])
  })

  test('lists calls without a label under their rule sets', async () => {
    const { limiter } = limiterAt()
    await limiter.take(compileRuleSets('call', [set('one', 9), set('two', 9)]), caller)
    expect(totals(limiter).map(({ label, passed }) => [label, passed])).toEqual([
      ['one', 1],
      ['two', 1],
    ])
  })

  test('counts shadow refusals and degraded calls apart from the other allowed calls', async () => {
    const { limiter, call } = limiterAt()
    const sets = [set('shadow', 1, { mode: 'shadow' }), set('degrade', 1, { mode: 'degrade' }), set('enforce', 9)]
    for (let i = 0; i < 2; i += 1) await call('list', sets)
    expect(totals(limiter)).toEqual([
      { label: 'list', ruleSet: 'degrade', policy: 'degrade-1s', ...NOTHING, passed: 1, degraded: 1 },
      { label: 'list', ruleSet: 'enforce', policy: 'enforce-1s', ...NOTHING, passed: 2 },
      { label: 'list', ruleSet: 'shadow', policy: 'shadow-1s', ...NOTHING, shadowRefused: 1 },
    ])
  })

  test('counts exempt callers without asking the store', async () => {
    const { limiter } = limiterAt()
    const sets = compileRuleSets('call', [set('one', 1)])
    for (let i = 0; i < 3; i += 1) limiter.free('list', sets)
    expect(totals(limiter)).toEqual([{ label: 'list', ruleSet: 'one', policy: 'one-1s', ...NOTHING, free: 3 }])
    expect((await limiter.peek([{ sets, caller }])).rules[0]?.remaining).toBe(1)
  })

  test('does not count peeks', async () => {
    const { limiter } = limiterAt()
    await limiter.peek([{ sets: compileRuleSets('call', [set('one', 1)]), caller }])
    expect(totals(limiter)).toEqual([])
  })

  test('is a snapshot that does not change afterwards', async () => {
    const { limiter, call } = limiterAt()
    await call('list', [set('one', 9)])
    const before = totals(limiter)
    await call('list', [set('one', 9)])
    expect(before.map(({ passed }) => passed)).toEqual([1])
  })

  test('dates a subject by the date, whatever the clock shows', async () => {
    const date = 1_763_700_000_000
    const own = createLimiter({ clock: { now: () => 5_000 }, date: { now: () => date } })
    const sets = compileRuleSets('image.get', [{ by: 'ip', rules: [{ limit: 1, window: '1m' }] }])
    for (let call = 0; call < 2; call += 1) await own.take(sets, caller)
    const { nearest, mostRefused } = own.stats()
    expect([nearest[0]?.at, mostRefused[0]?.lastAt]).toEqual([date, date])
    await own.close()
  })

  test('counts who decided while the store fails', async () => {
    const limiter = createLimiter({ redisUrl: 'redis://127.0.0.1:1', deadlineMs: 5_000 })
    const sets = (onStoreFailure: 'local' | 'deny') =>
      compileRuleSets('call', [set(onStoreFailure, 1, { onStoreFailure })])
    await limiter.take(sets('local'), caller)
    await limiter.take(sets('deny'), caller)
    await limiter.close()
    expect(totals(limiter)).toEqual([
      { label: 'deny', ruleSet: 'deny', policy: 'deny-1s', ...NOTHING, refused: 1, decidedByPolicy: 1 },
      { label: 'local', ruleSet: 'local', policy: 'local-1s', ...NOTHING, passed: 1, decidedLocally: 1 },
    ])
  })
})
