import { describe, expect, test } from 'vitest'
import { CostAboveLimit, chargesOf } from './charges.ts'
import type { AnyRuleSet, CountBy } from './rule-set.ts'
import { compileRuleSets } from './rules/compile.ts'
import { usesInput, withoutInput } from './rules/compiled.ts'
import type { Caller, NamedSubject } from './subject.ts'

const guest: Caller = { address: '192.0.2.1', userId: null, shared: false }
const user: Caller = { address: '192.0.2.1', userId: 'ann', shared: false }
const shared: Caller = { address: '192.0.2.1', userId: 'desk', shared: true }

const moment = { now: 0, aheadMs: 0, lease: () => 'a' }
const setsBy = (by: AnyRuleSet['by']) =>
  compileRuleSets('x', [{ name: 'view', by, rules: [{ limit: 5, window: '1m' }] }])

function keysOf(by: CountBy, caller: Caller | NamedSubject): string[] {
  const sets = setsBy(by)
  return chargesOf([{ sets, caller }], moment).map((charge) => charge.key.replace(sets[0]?.shape ?? '', 'SHAPE'))
}

describe('keys', () => {
  test.each<[CountBy, string, Caller, string[]]>([
    ['subject', 'a guest', guest, ['RATE:LIMIT:{192.0.2.1}:view:SHAPE']],
    ['subject', 'a user', user, ['RATE:LIMIT:{ann}:view:SHAPE']],
    [
      'subject',
      'a shared account',
      shared,
      [
        'RATE:LIMIT:{192.0.2.1:desk}:view:SHAPE',
        'RATE:LIMIT:{desk}:view-total:SHAPE',
        'RATE:LIMIT:{desk}:view-network:192.0.2.0/24:SHAPE',
      ],
    ],
    ['ip', 'a guest', guest, ['RATE:LIMIT:{192.0.2.1}:view:SHAPE']],
    ['ip', 'a user', user, ['RATE:LIMIT:{192.0.2.1}:view:SHAPE']],
    ['ip', 'a shared account', shared, ['RATE:LIMIT:{192.0.2.1}:view:SHAPE']],
    ['user', 'a guest', guest, ['RATE:LIMIT:{192.0.2.1}:view:SHAPE']],
    ['user', 'a user', user, ['RATE:LIMIT:{ann}:view:SHAPE']],
    ['user', 'a shared account', shared, ['RATE:LIMIT:{desk}:view:SHAPE']],
    ['site', 'a guest', guest, ['RATE:LIMIT:{site}:view:SHAPE']],
    ['site', 'a shared account', shared, ['RATE:LIMIT:{site}:view:SHAPE']],
  ])('by %s, of %s', (by, _, caller, keys) => {
    expect(keysOf(by, caller)).toEqual(keys)
  })

  test('an IPv6 network keeps its colons', () => {
    expect(keysOf('ip', { ...guest, address: '2001:db8:1:2::/64' })).toEqual([
      'RATE:LIMIT:{2001:db8:1:2::/64}:view:SHAPE',
    ])
  })

  test.each(['}', '{', 'a}:{b', '', 'a b', 'a\r\nb', '*', 'é', 'x'.repeat(65), '#'])(
    'a user id of %j cannot break a key',
    (userId) => {
      const [key = ''] = keysOf('user', { ...user, userId })
      expect(key).toMatch(/^RATE:LIMIT:\{#[A-Za-z0-9_-]{22}\}:view:SHAPE$/)
    },
  )

  test('a named subject is hashed for every kind of count, and different names stay apart', () => {
    const keys = ['ann\n192.0.2.1', 'ann\n192.0.2.2', 'ann'].flatMap((subject) => keysOf('subject', { subject }))
    for (const key of keys) expect(key).toMatch(/^RATE:LIMIT:\{#[A-Za-z0-9_-]{22}\}:view:SHAPE$/)
    expect(new Set(keys).size).toBe(3)
    expect(keysOf('user', { subject: 'ann' })).toEqual(keysOf('ip', { subject: 'ann' }))
    expect(keysOf('site', { subject: 'ann' })).toEqual(['RATE:LIMIT:{site}:view:SHAPE'])
  })
})

describe('keys of an argument', () => {
  const HASH = '#[A-Za-z0-9_-]{22}'
  const keys = (by: AnyRuleSet['by'], input: unknown, caller: Caller | NamedSubject = user) => {
    const sets = setsBy(by)
    return chargesOf([{ sets, caller, input }], moment).map((charge) =>
      charge.key.replace(sets[0]?.shape ?? '', 'SHAPE'),
    )
  }
  const alone = { input: 'filter.id' }
  const own = { input: 'filter.id', per: 'subject' } as const
  const id = (value: unknown) => ({ filter: { id: value } })

  test('alone, one for all callers', () => {
    const [key = ''] = keys(alone, id('secret'))
    expect(key).toMatch(new RegExp(`^RATE:LIMIT:\\{filter\\.id=${HASH}\\}:view:SHAPE$`))
    expect([guest, shared, { subject: 'ann' }].map((caller) => keys(alone, id('secret'), caller))).toEqual([
      [key],
      [key],
      [key],
    ])
  })

  test("per subject, at the subject's place", () => {
    expect(keys(own, id('secret'))[0]).toMatch(new RegExp(`^RATE:LIMIT:\\{ann\\}:view:${HASH}:SHAPE$`))
    expect(keys(own, id('secret'), guest)[0]).toMatch(
      new RegExp(`^RATE:LIMIT:\\{192\\.0\\.2\\.1\\}:view:${HASH}:SHAPE$`),
    )
    expect(keys(own, id('secret'), { subject: 'ann' })[0]).toMatch(
      new RegExp(`^RATE:LIMIT:\\{${HASH}\\}:view:${HASH}:SHAPE$`),
    )
  })

  test('of a shared account, by address, in total and by network', () => {
    const hash = keys(own, id('secret'))[0]?.split(':')[4]
    expect(keys(own, id('secret'), shared)).toEqual([
      `RATE:LIMIT:{192.0.2.1:desk}:view:${hash}:SHAPE`,
      `RATE:LIMIT:{desk}:view-total:${hash}:SHAPE`,
      `RATE:LIMIT:{desk}:view-network:${hash}:192.0.2.0/24:SHAPE`,
    ])
  })

  test.each([alone, own])('%j distinguishes values by type, and counts missing values as one', (by) => {
    const present = [1, '1', true, 'true', 1n, '', 'nothing'].map((value) => keys(by, id(value))[0])
    const missing = [undefined, {}, { filter: null }, id(undefined), id(null), id([])].map((input) => keys(by, input))
    expect(new Set(present).size).toBe(7)
    expect(missing).toEqual(Array(6).fill(missing[0]))
    expect(missing[0]).toHaveLength(1)
    expect(present).not.toContain(missing[0]?.[0])
  })

  test('another argument with the same value has another key', () => {
    expect(keys({ input: 'id' }, { id: 1, owner: 1 })).not.toEqual(keys({ input: 'owner' }, { id: 1, owner: 1 }))
    expect(keys({ ...own, input: 'id' }, { id: 1, owner: 1 })).not.toEqual(
      keys({ ...own, input: 'owner' }, { id: 1, owner: 1 }),
    )
  })

  test('each different value of a list is charged the full cost', () => {
    const sets = setsBy(alone)
    const charges = chargesOf([{ sets, caller: user, input: id(['a', 'b', 'a']), cost: 2 }], moment)
    expect(charges.map(({ cost }) => cost)).toEqual([2, 2])
    expect(charges.map(({ key }) => key)).toEqual(
      ['a', 'b']
        .flatMap((value) => chargesOf([{ sets, caller: user, input: id(value) }], moment))
        .map(({ key }) => key),
    )
  })

  test('for a shared account, each value is counted by address, in total and by network', () => {
    expect(keys(own, id(['a', 'b']), shared).map((key) => key.split(/[}:]+/)[3])).toEqual([
      'desk',
      'desk',
      'view-total',
      'view-network',
      'view-total',
      'view-network',
    ])
  })

  test('a list of more than 100 values, or of values that cannot be counted, is an error', () => {
    expect(keys(alone, id(Array.from({ length: 100 }, (_, i) => i)))).toHaveLength(100)
    expect(() => keys(alone, id(Array(101).fill(1)))).toThrow(RangeError)
    expect(() => keys(alone, id([{}]))).toThrow(TypeError)
    expect(() => keys(alone, id(new Date(0)))).toThrow(TypeError)
  })
})

describe('a cost by the input', () => {
  const rules: AnyRuleSet['rules'] = [{ limit: 5, window: '1m' }]
  const charges = (cost: (input: unknown) => number, input?: unknown) =>
    chargesOf([{ sets: compileRuleSets('x', [{ by: 'ip', rules, cost }]), caller: guest, cost: 4, input }], moment)

  test('is the result of the function', () => {
    const length = (input: unknown) => (Array.isArray(input) ? input.length : 1)
    expect(charges(length, ['a', 'b', 'c']).map(({ cost }) => cost)).toEqual([3])
    expect(charges(length).map(({ cost }) => cost)).toEqual([1])
  })

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('of %d is an error', (cost) => {
    expect(() => charges(() => cost)).toThrow(RangeError)
  })

  test.each(['{}', '{"cost":null}', '{"cost":"1"}', '{"cost":[1]}'])(
    'of %s, which is not a number, is an error',
    (text) => {
      expect(() => charges(() => JSON.parse(text).cost)).toThrow(RangeError)
    },
  )

  test('above a limit is an error', () => {
    expect(() => charges(() => 6)).toThrow(CostAboveLimit)
  })

  test('rethrows what the function throws', () => {
    expect(() =>
      charges(() => {
        throw new Error('no such size')
      }),
    ).toThrow('no such size')
  })

  test('is not computed for concurrent calls, which take one place each', () => {
    const sets = compileRuleSets('x', [{ by: 'ip', rules: [{ concurrent: 2 }], cost: () => Number.NaN }])
    const [charge] = chargesOf([{ sets, caller: guest }], { ...moment, lease: () => 'call-1' })
    expect([charge?.cost, charge?.rules]).toMatchObject([1, [{ limit: 2, lease: 'call-1' }]])
  })
})

test('sets that need the input are distinguished from those that do not', () => {
  const rules: AnyRuleSet['rules'] = [{ limit: 5, window: '1m' }]
  const sets = compileRuleSets('x', [
    { name: 'plain', by: 'subject', rules, cost: 2 },
    { name: 'argument', by: { input: 'id' }, rules },
    { name: 'own', by: { input: 'id', per: 'subject' }, rules },
    { name: 'size', by: 'site', rules, cost: () => 1 },
  ])
  expect(withoutInput(sets).map(({ facts }) => facts.name)).toEqual(['plain'])
  expect(sets.map((set) => usesInput([set]))).toEqual([false, true, true, true])
  expect([usesInput(sets), usesInput(withoutInput(sets)), usesInput([])]).toEqual([true, false, false])
})

test('the total of a shared account has twenty times the limits, and a network those of an address', () => {
  const [own, total, network] = chargesOf([{ sets: setsBy('subject'), caller: shared }], moment)
  expect(own?.rules).toMatchObject([
    { policy: 'view-1m', parts: { limit: 5, unit: 'calls', window: 60_000 }, limit: 5, windowMs: 60_000 },
  ])
  expect(total?.facts.name).toBe('view-total')
  expect(total?.rules).toMatchObject([
    { policy: 'view-total-1m', parts: { limit: 100, unit: 'calls', window: 60_000 }, limit: 100, windowMs: 60_000 },
  ])
  expect(network?.rules).toMatchObject([{ policy: 'view-network-1m', limit: 5, windowMs: 60_000 }])
  expect(total?.key.endsWith(own?.key.split(':').at(-1) ?? '-')).toBe(true)
})

test('a cost above a limit is an error that names both', () => {
  const take = () => chargesOf([{ sets: setsBy('ip'), caller: guest, cost: 6 }], moment)
  expect(take).toThrow(CostAboveLimit)
  expect(take).toThrow('a cost of 6 can never pass the limit of 5 of view-1m')
})

test.each(['shadow', 'degrade'] as const)(
  'a cost above a limit of a set that says %s is none: it refuses nothing',
  (mode) => {
    const sets = compileRuleSets('x', [{ by: 'ip', mode, rules: [{ limit: 5, window: '1m' }] }])
    expect(chargesOf([{ sets, caller: guest, cost: 6 }], moment).map(({ cost }) => cost)).toEqual([6])
  },
)

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('a cost of %d is an error', (cost) => {
  expect(() => chargesOf([{ sets: setsBy('ip'), caller: guest, cost }], moment)).toThrow(RangeError)
})

test('charging one key twice in a call is an error', () => {
  const request = { sets: setsBy('ip'), caller: guest }
  expect(() => chargesOf([request, request], moment)).toThrow(
    'one call charges the same rule set twice for the same subject',
  )
})
