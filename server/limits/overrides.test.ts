import { describe, expect, test } from 'vitest'
import type { LimitRequest } from './charges.ts'
import { createLimiter } from './limiter.ts'
import { type Charging, nameFor, Overrides } from './overrides.ts'
import type { AnyRuleSet, RuleSet } from './rule-set.ts'
import { compileRuleSets } from './rules/compile.ts'
import type { OverrideTarget } from './rules/compiled.ts'
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

describe('an override of one procedure', () => {
  const shared: RuleSet = { name: 'download', by: 'subject', rules: [{ limit: 3, window: '1m' }] }
  const ofZip = (target: OverrideTarget, limit: number) => ({
    ruleSet: 'download',
    procedure: 'zip',
    target,
    sets: compileRuleSets('zip', [{ ...shared, name: nameFor('download', 'zip'), rules: [{ limit, window: '1m' }] }]),
  })
  const limiter = createLimiter({ clock: { now: () => 1_000 } })
  const byPath = { zip: compileRuleSets('zip', [shared]), bytes: compileRuleSets('bytes', [shared]) }
  const left = async (path: keyof typeof byPath, caller: AnyCaller = ann) =>
    (await limiter.peek([{ sets: byPath[path], caller }])).rules.map(({ policy, remaining }) => [policy, remaining])

  test('counts the calls of that procedure by themselves, and wins over those of the whole set', async () => {
    await limiter.take(byPath.zip, ann)
    limiter.override([ofZip('all', 9), override({ subject: 'ann' }, 5)])
    await limiter.take(byPath.zip, ann, 2)
    expect(await left('zip')).toEqual([['download@zip-1m', 7]])
    expect(await left('bytes')).toEqual([['download-1m', 4]])
    const { rules } = await limiter.states([byPath.zip, byPath.bytes].map((sets) => ({ sets, caller: ann })))
    expect(rules.map(({ facts }) => facts.override)).toEqual(['all', { subject: 'ann' }])
  })

  test('leaves other callers of the procedure with the shared count', async () => {
    limiter.override([ofZip({ role: 'guest' }, 8)])
    expect(await left('zip', guest)).toEqual([['download@zip-1m', 8]])
    expect(await left('zip')).toEqual([['download-1m', 2]])
  })

  test('keeps what it counted when its limit changes', async () => {
    limiter.override([ofZip('all', 9)])
    await limiter.take(byPath.zip, demo('192.0.2.1'))
    limiter.override([ofZip('all', 4)])
    expect(await left('zip', demo('192.0.2.1'))).toEqual([
      ['download@zip-1m', 3],
      ['download@zip-total-1m', 79],
      ['download@zip-network-1m', 3],
    ])
  })
})

describe('an override of how calls are charged', () => {
  const takes = async (charging: Partial<Charging>, cost = 1) => {
    const { limiter, compiled } = scene([{ ...declared, rules: [{ limit: 9, window: '1m' }] }])
    limiter.override([{ ...override('all', 9), charging }])
    const permit = await limiter.reserve([{ sets: compiled, caller: ann, cost }])
    await permit.end('succeeded')
    return (await limiter.peek([{ sets: compiled, caller: ann }])).rules.map(({ remaining }) => remaining)
  }

  test('sets the cost of each call that a request counts as', async () => {
    expect(await takes({})).toEqual([8])
    expect(await takes({ cost: 3 })).toEqual([6])
    expect(await takes({ cost: 3 }, 2)).toEqual([3])
  })

  test('refunds successes where failures alone are counted', async () => {
    expect(await takes({ count: 'failures' })).toEqual([9])
    expect(await takes({ count: 'all' })).toEqual([8])
  })
})

describe('an added set', () => {
  const added = compileRuleSets('image.list', [
    { name: 'extra', by: 'ip', rules: [{ limit: 2, window: '1m' }] },
    { name: 'of-one', by: { input: 'id' }, rules: [{ limit: 2, window: '1m' }] },
  ])
  const policies = async (request: Partial<LimitRequest>) => {
    const { limiter, compiled } = scene()
    limiter.override([], [{ procedure: 'image.list', sets: added }])
    const requests = [{ sets: compiled, caller: ann, ...request }]
    return (await limiter.peek(requests)).rules.map(({ policy }) => policy)
  }

  test('is charged along with what its procedure declares, and no other', async () => {
    expect(await policies({ procedure: 'image.list', input: { id: 'x' } })).toEqual([
      'download-1m',
      'extra-1m',
      'of-one-1m',
    ])
    expect(await policies({ procedure: 'image.count' })).toEqual(['download-1m'])
    expect(await policies({})).toEqual(['download-1m'])
  })

  test('counts no argument of an input that could not be read', async () => {
    expect(await policies({ procedure: 'image.list' })).toEqual(['download-1m', 'extra-1m'])
  })

  test('can be overridden like a declared one', async () => {
    const { limiter } = scene()
    const tighter = compileRuleSets('image.list', [{ name: 'extra', by: 'ip', rules: [{ limit: 1, window: '1m' }] }])
    limiter.override(
      [{ ruleSet: 'extra', target: { role: 'user' }, sets: tighter }],
      [{ procedure: 'image.list', sets: added }],
    )
    const limits = (await limiter.peek([{ sets: [], caller: ann, procedure: 'image.list' }])).rules.map(
      ({ limit }) => limit,
    )
    expect(limits).toEqual([1])
  })
})

test('without overrides a request is decided as it stands', () => {
  const overrides = new Overrides()
  const requests = [{ sets: compileRuleSets('test', [declared]), caller: ann, procedure: 'test' }]
  expect(overrides.inForce(requests)).toBe(requests)
  overrides.replace([override('all', 1)].map((each) => ({ ...each, ruleSet: 'other' })))
  expect(overrides.inForce(requests)[0]).toBe(requests[0])
})
