import { expect, test } from 'vitest'
import { createLimiter } from './limiter.ts'
import type { OverrideTarget } from './overrides.ts'
import type { AnyRuleSet, RuleSet } from './rule-set.ts'
import { compileRuleSets } from './rules/compile.ts'
import type { AnyCaller } from './subject.ts'

const declared: RuleSet = { name: 'download', by: 'subject', rules: [{ limit: 1, window: '1m' }] }

const ann = { address: '192.0.2.1', userId: 'ann', shared: false, role: 'user' }
const guest = { address: '192.0.2.9', userId: null, shared: false, role: 'guest' }
const demo = (address: string) => ({ address, userId: 'demo', shared: true, role: 'admin' })

const override = (target: OverrideTarget, limit: number, more: Partial<RuleSet> = {}) => ({
  ruleSet: 'download',
  target,
  sets: compileRuleSets('test', [{ ...declared, rules: [{ limit, window: '1m' }], ...more }]),
})

/** A limiter whose time stands still, and what a caller's `take` of the declared set says. */
function scene(sets: readonly AnyRuleSet[] = [declared]) {
  const limiter = createLimiter({ clock: { now: () => 1_000 } })
  const compiled = compileRuleSets('test', sets)
  const limitsOf = async (caller: AnyCaller) =>
    (await limiter.peek([{ sets: compiled, caller }])).rules.map(({ limit }) => limit)
  return { limiter, compiled, limitsOf }
}

test('a subject takes precedence over its role, a role over all callers, and the declared limit returns afterwards', async () => {
  const { limiter, limitsOf } = scene()
  limiter.override([override('all', 2), override({ role: 'user' }, 3), override({ subject: 'ann' }, 4)])
  expect(await limitsOf(ann)).toEqual([4])
  expect(await limitsOf({ ...ann, userId: 'bob' })).toEqual([3])
  expect(await limitsOf(guest)).toEqual([2])
  expect(await limitsOf({ subject: 'a name' })).toEqual([2])
  limiter.override([])
  expect(await limitsOf(ann)).toEqual([1])
})

test('a guest is targeted by address, and a shared account by address or as a whole', async () => {
  const { limiter, limitsOf } = scene()
  limiter.override([
    override({ subject: '192.0.2.9' }, 2),
    override({ subject: '192.0.2.1:demo' }, 3),
    override({ subject: 'demo' }, 4),
  ])
  expect(await limitsOf(guest)).toEqual([2])
  expect(await limitsOf(demo('192.0.2.1'))).toEqual([3, 60, 3])
  expect(await limitsOf(demo('192.0.2.2'))).toEqual([4, 80, 4])
})

test('usage is kept under another limit, and starts afresh under another window', async () => {
  const { limiter, compiled } = scene()
  await limiter.take(compiled, ann)
  limiter.override([override('all', 5)])
  expect((await limiter.peek([{ sets: compiled, caller: ann }])).rules[0]?.remaining).toBe(4)
  limiter.override([override('all', 5, { rules: [{ limit: 5, window: '2m' }] })])
  expect((await limiter.peek([{ sets: compiled, caller: ann }])).rules[0]?.remaining).toBe(5)
})

test('a set of two algorithms is replaced as a whole, and the set beside it stays', async () => {
  const bucket = { limit: 7, window: '2m', algorithm: 'token-bucket' } as const
  const { limiter, limitsOf } = scene([
    { ...declared, rules: [...declared.rules, bucket] },
    { ...declared, name: 'other', rules: [{ limit: 9, window: '1m' }] },
  ])
  expect(await limitsOf(ann)).toEqual([1, 7, 9])
  limiter.override([override('all', 5)])
  expect(await limitsOf(ann)).toEqual([5, 9])
})

test('the cost of a call stays as each procedure declares it', async () => {
  const { limiter, compiled } = scene([{ ...declared, cost: 2, rules: [{ limit: 4, window: '1m' }] }])
  limiter.override([override('all', 10)])
  expect((await limiter.take(compiled, ann)).rules[0]?.remaining).toBe(8)
})

test('a subject that is known only by its key is charged and reset under it', async () => {
  const { limiter, compiled } = scene()
  await limiter.take(compiled, ann)
  await limiter.take(compiled, { subject: 'a name' })
  const { rules } = await limiter.peek([{ sets: compiled, caller: { subjectKey: 'ann' } }])
  expect(rules[0]?.remaining).toBe(0)
  await limiter.reset([{ sets: compiled, caller: { subjectKey: 'ann' } }])
  expect((await limiter.take(compiled, ann)).allowed).toBe(true)
})

test('overrides apply to waiting calls too: at once, in order of arrival', async () => {
  const { limiter } = scene()
  const patient = compileRuleSets('test', [{ ...declared, rules: [{ limit: 1, window: '5s' }], wait: '10s' }])
  const more = { rules: [{ limit: 3, window: '5s' }], wait: '10s' } as const
  const passed: string[] = []
  const start = (name: string) =>
    limiter.take(patient, ann).then(({ allowed }) => passed.push(`${name} ${allowed ? 'passed' : 'refused'}`))
  const all = ['a', 'b', 'c', 'd'].map(start)
  await all[0]
  limiter.override([{ ...override('all', 3, more) }])
  await Promise.all(all.slice(0, 3))
  expect(passed).toEqual(['a passed', 'b passed', 'c passed'])
  limiter.override([override('all', 3, { ...more, wait: '1ms' })])
  await all[3]
  expect(passed.at(-1)).toBe('d refused')
})
