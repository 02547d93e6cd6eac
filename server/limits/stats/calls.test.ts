import { describe, expect, test } from 'vitest'
import { makeReceipt } from '#testing/limits/receipts.ts'
import { chargesOf } from '../charges.ts'
import { decide } from '../decision.ts'
import { SoloFleet } from '../fleet/fleet.ts'
import type { LimiterEvent } from '../limiter.ts'
import { createLimiter } from '../limiter.ts'
import type { AnyRuleSet } from '../rule-set.ts'
import { compileRuleSets } from '../rules/compile.ts'
import { hashTagOf } from '../stores/hash-tag.ts'
import { CallStats } from './call-stats.ts'

const NOW = 1_700_000_000_000
const ann = { address: '192.0.2.1', userId: 'ann', shared: false }

function limiterAt(others: string[] = []) {
  const clock = { time: NOW, now: () => clock.time }
  const events: LimiterEvent[] = []
  const fleet = Object.assign(new SoloFleet(), { snapshots: () => others })
  const limiter = createLimiter({ clock, fleet, log: (event) => events.push(event) })
  const call = (set: CompiledSets, label = 'list', input?: unknown) =>
    limiter.reserve([{ sets: set, caller: ann, input }], { label })
  return { clock, limiter, events, call }
}

type CompiledSets = ReturnType<typeof compileRuleSets>

const setOf = (more: Partial<AnyRuleSet>) =>
  compileRuleSets('call', [
    { by: 'user', rules: [{ limit: 2, window: '10s', algorithm: 'fixed-window' }], name: 'two', ...more },
  ])
const two = setOf({})
const byImage = setOf({ name: 'image', by: { input: 'ids' } })

describe('calls by label', () => {
  test('are counted once each, by the second', async () => {
    const { clock, limiter, call } = limiterAt()
    const both = [...two, ...setOf({ name: 'more' })]
    for (let i = 0; i < 3; i += 1) await limiter.reserve([{ sets: both, caller: ann }], { label: 'list' })
    clock.time += 3_000
    await call(two, 'show')
    clock.time += 1_500
    expect(limiter.stats()).toMatchObject({ at: NOW + 4_500, processes: 1 })
    expect(limiter.stats().labels).toEqual([
      { label: 'list', perSecond: 0.6, passed: [...zeros(56), 2, 0, 0, 0], refused: [...zeros(56), 1, 0, 0, 0] },
      { label: 'show', perSecond: 0.2, passed: zeros(60), refused: [...zeros(59), 1] },
    ])
  })

  test('are counted for the last minute apart from the total', async () => {
    const { clock, limiter, call } = limiterAt()
    await call(two)
    clock.time += 60_000
    await call(two)
    const minuteAndTotal = () => limiter.stats().rows.map(({ minute, total }) => [minute.passed, total.passed])
    expect(minuteAndTotal()).toEqual([[1, 2]])
    clock.time += 1_000
    expect(minuteAndTotal()).toEqual([[1, 2]])
    clock.time += 60_000
    expect(minuteAndTotal()).toEqual([[0, 2]])
  })

  test('count a call once that is charged for several values', async () => {
    const { limiter, call } = limiterAt()
    await call(byImage, 'show', { ids: ['a', 'b', 'c'] })
    expect(limiter.stats().rows.map(({ total }) => total.passed)).toEqual([1])
  })
})

describe("permits taken after a call's first ones", () => {
  const calls = ({ limiter, clock }: ReturnType<typeof limiterAt>) => {
    clock.time += 1_000
    return limiter.stats().labels.map(({ passed, refused }) => [sum(passed), sum(refused)])
  }
  const further = (label: string, countsCall: 'if-refused' | 'never') => ({ label, countsCall }) as const

  test('are not counted as a second call', async () => {
    const at = limiterAt()
    await at.call(two)
    await at.limiter.reserve([{ sets: setOf({ name: 'more' }), caller: ann }], further('list', 'if-refused'))
    at.limiter.free('list', two, 'never')
    expect(calls(at)).toEqual([[1, 0]])
    expect(at.limiter.stats().rows.map(({ policy, total }) => [policy, total.passed, total.free])).toEqual([
      ['more-10s', 1, 0],
      ['two-10s', 1, 1],
    ])
  })

  test('turn the allowed call into a refused one, in whichever second, or are counted at their rule alone', async () => {
    const at = limiterAt()
    const full = setOf({ name: 'full' })
    for (let i = 0; i < 2; i += 1) await at.call(full, 'other')
    await at.call(two)
    at.clock.time += 1_500
    const refused = [{ sets: full, caller: ann }]
    await at.limiter.reserve(refused, further('list', 'never'))
    expect(calls(at)).toEqual([
      [1, 0],
      [2, 0],
    ])
    await at.limiter.reserve(refused, further('list', 'if-refused'))
    expect(calls(at)).toEqual([
      [0, 1],
      [2, 0],
    ])
    expect(at.limiter.stats().rows.find(({ label, ruleSet }) => label === 'list' && ruleSet === 'full')).toMatchObject({
      total: { refused: 2 },
    })
  })
})

describe('subjects', () => {
  test('are named as in the braces of the keys', async () => {
    const { clock, limiter, call } = limiterAt()
    for (let i = 0; i < 4; i += 1) await call(two)
    const of = { subject: 'ann', ruleSet: 'two', policy: 'two-10s' }
    expect(limiter.stats().nearest).toMatchObject([{ ...of, used: 2, limit: 2, at: NOW }])
    expect(limiter.stats().mostRefused).toMatchObject([{ ...of, refused: 2, lastAt: NOW }])
    clock.time += 60_000
    expect(limiter.stats().nearest).toEqual([])
    expect(limiter.stats().mostRefused).toHaveLength(1)
  })
})

describe('events', () => {
  test('report a thousand refusals once, and again in the next window', async () => {
    const { clock, limiter, events, call } = limiterAt()
    const two = setOf({})
    for (let i = 0; i < 1_002; i += 1) await call(two)
    expect(limiter.ownStats().mostRefused.map(({ refused }) => refused)).toEqual([1_000])
    const of = { label: 'list', subject: 'ann', ruleSet: 'two', policy: 'two-10s', perSecond: 0 }
    expect(events).toEqual([{ type: 'refused', ...of, subjectPerSecond: 3, retryAfterMs: 10_000 }])
    clock.time += 10_000
    for (let i = 0; i < 3; i += 1) await call(two)
    expect(events).toHaveLength(2)
  })

  test('say how often the subject is called each second, refused calls included, whatever the label', async () => {
    const { clock, limiter, events, call } = limiterAt()
    const two = setOf({ rules: [{ limit: 2, window: '4s', algorithm: 'fixed-window' }] })
    const rates = () => events.splice(0).map((event) => 'subjectPerSecond' in event && event.subjectPerSecond)
    const callFor = async (seconds: number, each: number) => {
      for (let second = 0; second < seconds; second += 1, clock.time += 1_000)
        for (let i = 0; i < each; i += 1) await call(two, i % 2 === 0 ? 'list' : 'show')
      return rates()
    }
    await limiter.reserve([{ sets: two, caller: { ...ann, userId: 'bob' } }])
    // The third call of each window: of 1 second, then of 5, with 10 calls in each of the 4 before.
    expect(await callFor(5, 10)).toEqual([3, (4 * 10 + 3) / 5])
    expect(await callFor(1, 0)).toEqual([])
    // In the tenth second: 50 calls in the first five, and none, 2, 2, 2 and 1 in the others.
    expect(await callFor(4, 2)).toEqual([(5 * 10 + 3 * 2 + 1) / 10])
    clock.time += 10_000
    expect(await callFor(1, 3)).toEqual([3])
  })

  test.each([
    ['a value', { by: { input: 'ids' } }, ann, 'a', { subjectPerSecond: 3 }],
    ['a value of a list', { by: { input: 'ids' } }, ann, ['a'], {}],
    ['a value for each caller', { by: { input: 'ids', per: 'subject' } }, ann, 'a', {}],
    ['a shared account at an address', { by: 'subject' }, { ...ann, shared: true }, '', {}],
    ['a caller by name', {}, { subject: 'ann@example.org' }, '', {}],
  ] as const)('say so of keys that the process keeps: %s', async (_, more, caller, ids, rates) => {
    const { limiter, events } = limiterAt()
    const sets = setOf(more)
    for (let i = 0; i < 3; i += 1) await limiter.reserve([{ sets, caller, input: { ids } }], { label: 'list' })
    const of = { label: 'list', subject: expect.any(String), ruleSet: 'two', policy: 'two-10s', perSecond: 0 }
    expect(events).toEqual([{ type: 'refused', ...of, ...rates, retryAfterMs: 10_000 }])
  })

  test('say how often the label is called each second', async () => {
    const { clock, events, call } = limiterAt()
    for (let i = 0; i < 20; i += 1) await call(byImage, 'list', { ids: [String(i)] })
    clock.time += 1_000
    for (let i = 0; i < 3; i += 1) await call(two)
    expect(events).toMatchObject([{ type: 'refused', label: 'list', perSecond: 4 }])
  })

  test('report the first pass in a window on request', async () => {
    const clock = { time: NOW, now: () => clock.time }
    const events: LimiterEvent[] = []
    const limiter = createLimiter({ clock, logsPasses: true, log: (event) => events.push(event) })
    const call = () => limiter.reserve([{ sets: two, caller: ann }], { label: 'list' })
    for (let i = 0; i < 3; i += 1) await call()
    clock.time += 10_000
    await call()
    const of = { label: 'list', subject: 'ann', ruleSet: 'two', policy: 'two-10s' }
    expect(events).toMatchObject([
      { type: 'passed', ...of },
      { type: 'refused', ...of },
      { type: 'passed', ...of },
    ])
  })

  test('are reported for each type separately', async () => {
    const { events, call } = limiterAt()
    const sets = [setOf({ name: 'try', mode: 'shadow' }), setOf({ name: 'less', mode: 'degrade' }), two]
    for (let i = 0; i < 4; i += 1) for (const set of sets) await call(set)
    expect(events.map((event) => [event.type, 'policy' in event && event.policy])).toEqual([
      ['shadow-refused', 'try-10s'],
      ['degraded-answer', 'less-10s'],
      ['refused', 'two-10s'],
    ])
  })

  test('name the refused value among several', async () => {
    const { limiter, events, call } = limiterAt()
    for (let i = 0; i < 2; i += 1) await call(byImage, 'show', { ids: ['full'] })
    const [full] = limiter.stats().nearest
    await call(byImage, 'show', { ids: ['a', 'full', 'b'] })
    expect(events).toMatchObject([{ type: 'refused', label: 'show', subject: full?.subject, policy: 'image-10s' }])
  })
})

test('report a remembered refusal at the charge that it refused, at whichever position in the call', () => {
  const clock = { now: () => NOW }
  const events: object[] = []
  const stats = new CallStats(clock, clock, (event) => events.push(event))
  const sets = [...setOf({}), ...setOf({ name: 'image', by: { input: 'ids' } })]
  const request = { sets, caller: ann, input: { ids: ['a', 'full', 'b'] } }
  const charges = chargesOf([request], { now: NOW, aheadMs: 0, lease: () => '' })
  const answers = [{ remaining: 0, resetMs: 900, waitMs: 900, delayMs: 0 }]
  const receipt = { ...makeReceipt(charges.slice(2, 3), answers, 'cache'), charges }
  stats.count('show', { receipt, decision: decide(receipt), waitedFor: 'two-10s' })
  const key = charges[2]?.key ?? ''
  const of = { subject: hashTagOf(key), ruleSet: 'image', policy: 'image-10s' }
  const counted = { ...of, key, argument: 'full' }
  expect(stats.stats([]).nearest).toEqual([{ ...counted, used: 2, limit: 2, at: NOW }])
  expect(stats.stats([]).mostRefused).toEqual([{ ...counted, refused: 1, lastAt: NOW }])
  expect(events).toEqual([
    { type: 'refused', label: 'show', ...of, perSecond: 0, retryAfterMs: 900 },
    {
      ...{ type: 'waited', label: 'show', subject: 'ann', ruleSet: 'two', policy: 'two-10s', perSecond: 0 },
      ...{ subjectPerSecond: 1, waitedMs: 0 },
    },
  ])
})

describe('other processes', () => {
  test('are summed up, and an invalid snapshot is ignored', async () => {
    const told: string[] = []
    const other = limiterAt()
    await other.call(two)
    const fleet = Object.assign(new SoloFleet(), { show: (snapshot: () => string) => told.push(snapshot()) })
    createLimiter({ fleet })
    const { limiter, call } = limiterAt(['{', '{"version":2}', ...told])
    await call(two)
    expect(limiter.stats()).toMatchObject({ processes: 2, rows: [{ total: { passed: 1 } }] })
    expect(limiter.ownStats()).toMatchObject({ processes: 1, rows: [{ total: { passed: 1 } }] })
  })
})

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)

function zeros(count: number): number[] {
  return Array(count).fill(0)
}
