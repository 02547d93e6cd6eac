import { expect, test } from 'vitest'
import {
  addressOf,
  agoWords,
  declaredName,
  fullness,
  isForgettable,
  isOneAddress,
  subjectNamed,
  subjectWords,
} from './subject-words.ts'

const id = '0b0e8f5e-6a53-4b0a-9d0a-1d2f3a4b5c6d'

test.each([
  ['user', id, 'ada', 'ada'],
  ['user', id, null, 'A user who is gone'],
  ['token', `token/${id}`, 'phone of ada', 'token phone of ada'],
  ['token', `token/${id}`, null, 'A token that is gone'],
  ['address', '192.0.2.1', null, '192.0.2.1'],
  ['address', 'hidden', null, 'An address'],
  ['shared', `2001:db8::/64:${id}`, 'demo', 'demo at 2001:db8::/64'],
  ['shared', id, 'demo', 'demo'],
  ['digest', '#abcdefghijklmnopqrstuv', null, 'A name or argument (#abcdef…)'],
  ['site', 'site', null, 'Everybody together'],
] as const)('%s %s of %s is %s', (kind, key, name, words) => {
  expect(subjectWords({ kind, key, name })).toBe(words)
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8::/64', '2001:db8::/64'],
  ['2001:DB8:0:1::/64', '2001:db8:0:1::/64'],
  ['2001:db8::1', '2001:db8::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['::1', '::/64'],
  ['fe80::', 'fe80::/64'],
])('%s is counted as %s', (typed, counted) => {
  expect(addressOf(typed)).toBe(counted)
})

test.each([
  'ada',
  'ada.b',
  '192.0.2',
  '999.1.2.3',
  '192.0.2.1/64',
  '2001:db8::/32',
  '::ffff:192.0.2.1',
  'a:b',
  '::1]:80/[',
  '',
])('%j is no address', (typed) => {
  expect(addressOf(typed)).toBeNull()
})

test('an override of one address of a shared account names both', () => {
  expect([
    subjectNamed(`198.51.100.1:${id}`, 'demo'),
    subjectNamed(id, 'ada'),
    subjectNamed('192.0.2.1', null),
    subjectNamed(id, null),
  ]).toEqual(['demo at 198.51.100.1', 'ada', '192.0.2.1', id])
  const subjects = [`198.51.100.1:${id}`, '192.0.2.1', '2001:db8::/64', id, '#abcdefghijklmnopqrstuv']
  expect(subjects.map(isOneAddress)).toEqual([true, true, true, false, false])
})

test('a total is of the rule set that is declared', () => {
  expect([declaredName('view-total'), declaredName('view')]).toEqual(['view', 'view'])
})

test('tells how long ago, and of a clock that is ahead nothing else', () => {
  expect([-500, 12_900, 59_999, 60_000, 3_599_000].map(agoWords)).toEqual([
    '0 s ago',
    '12 s ago',
    '59 s ago',
    '1 min ago',
    '59 min ago',
  ])
})

test('is never fuller than full', () => {
  expect([
    fullness({ used: 5, limit: 20 }),
    fullness({ used: 30, limit: 20 }),
    fullness({ used: 0, limit: 0 }),
  ]).toEqual([0.25, 1, 0])
})

test('of an argument that all are counted by nothing can be forgotten; of a name that was tried it can', () => {
  expect(isForgettable({ kind: 'digest' }, { targets: ['all'] })).toBe(false)
  expect(isForgettable({ kind: 'digest' }, { targets: ['all', 'subject'] })).toBe(true)
  expect(isForgettable({ kind: 'site' }, { targets: ['all'] })).toBe(true)
})
