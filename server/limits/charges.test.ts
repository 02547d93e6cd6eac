import { describe, expect, test } from 'vitest'
import { CostAboveLimit, chargesOf } from './charges.ts'
import type { CountBy } from './rule-set.ts'
import { compileRuleSets } from './rules/compile.ts'
import type { Caller, NamedSubject } from './subject.ts'

const guest: Caller = { address: '192.0.2.1', userId: null, shared: false }
const user: Caller = { address: '192.0.2.1', userId: 'ann', shared: false }
const shared: Caller = { address: '192.0.2.1', userId: 'desk', shared: true }

const moment = { now: 0, lease: 'a' }
const setsBy = (by: CountBy) => compileRuleSets('x', [{ name: 'view', by, rules: [{ limit: 5, window: '1m' }] }])

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
      ['RATE:LIMIT:{192.0.2.1:desk}:view:SHAPE', 'RATE:LIMIT:{desk}:view-total:SHAPE'],
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

  test('a named subject is hashed, whatever is counted, and different ones stay apart', () => {
    const keys = ['ann\n192.0.2.1', 'ann\n192.0.2.2', 'ann'].flatMap((subject) => keysOf('subject', { subject }))
    for (const key of keys) expect(key).toMatch(/^RATE:LIMIT:\{#[A-Za-z0-9_-]{22}\}:view:SHAPE$/)
    expect(new Set(keys).size).toBe(3)
    expect(keysOf('user', { subject: 'ann' })).toEqual(keysOf('ip', { subject: 'ann' }))
    expect(keysOf('site', { subject: 'ann' })).toEqual(['RATE:LIMIT:{site}:view:SHAPE'])
  })
})

test("the total of a shared account has ten times the limits, under the set's name with -total", () => {
  const [own, total] = chargesOf([{ sets: setsBy('subject'), caller: shared }], moment)
  expect(own?.rules).toMatchObject([{ policy: 'view-1m', words: '5 per minute', limit: 5, windowMs: 60_000 }])
  expect(total?.facts.name).toBe('view-total')
  expect(total?.rules).toMatchObject([{ policy: 'view-total-1m', words: '50 per minute', limit: 50, windowMs: 60_000 }])
  expect(total?.key.endsWith(own?.key.split(':').at(-1) ?? '-')).toBe(true)
})

test('a cost above a limit is an error that names both', () => {
  const take = () => chargesOf([{ sets: setsBy('ip'), caller: guest, cost: 6 }], moment)
  expect(take).toThrow(CostAboveLimit)
  expect(take).toThrow('a cost of 6 can never pass the limit of 5 of view-1m')
})

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('a cost of %d is an error', (cost) => {
  expect(() => chargesOf([{ sets: setsBy('ip'), caller: guest, cost }], moment)).toThrow(RangeError)
})

test('charging one key twice in a call is an error', () => {
  const request = { sets: setsBy('ip'), caller: guest }
  expect(() => chargesOf([request, request], moment)).toThrow(
    'one call charges the same rule set twice for the same subject',
  )
})
