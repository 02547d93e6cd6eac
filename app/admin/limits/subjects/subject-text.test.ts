import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { adminLimits } from '#messages/en/admin-limits.ts'
import {
  argumentText,
  countedText,
  findCountedAddress,
  fullness,
  isOneAddress,
  namedSubject,
  subjectText,
} from './subject-text.ts'

const t = createTranslator({ locale: 'en', messages: { adminLimits }, namespace: 'adminLimits' })
const id = '0b0e8f5e-6a53-4b0a-9d0a-1d2f3a4b5c6d'

test.each([
  ['user', id, 'ada', 'ada'],
  ['user', id, null, 'Deleted user'],
  ['token', `token/${id}`, 'phone of ada', 'token phone of ada'],
  ['token', `token/${id}`, null, 'Deleted token'],
  ['address', '192.0.2.1', null, '192.0.2.1'],
  ['address', 'hidden', null, 'Hidden address'],
  ['shared', `2001:db8::/64:${id}`, 'demo', 'demo at 2001:db8::/64'],
  ['shared', id, 'demo', 'demo'],
  ['digest', '#abcdefghijklmnopqrstuv', null, 'Name or argument #abcdef…'],
  ['network', '192.0.2.0/24', null, '192.0.2.0/24'],
  ['site', 'site', null, 'all callers together'],
] as const)('%s %s of %s is %s', (kind, key, name, words) => {
  expect(subjectText(t, { kind, key, name })).toBe(words)
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
  expect(findCountedAddress(typed)).toBe(counted)
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
])('%j is not an address', (typed) => {
  expect(findCountedAddress(typed)).toBeNull()
})

test('an override for one address of a shared account names both', () => {
  expect([
    namedSubject(t, `198.51.100.1:${id}`, 'demo'),
    namedSubject(t, id, 'ada'),
    namedSubject(t, '192.0.2.1', null),
    namedSubject(t, id, null),
    namedSubject(t, 'site', null),
  ]).toEqual(['demo at 198.51.100.1', 'ada', '192.0.2.1', id, 'all callers together'])
  const subjects = [`198.51.100.1:${id}`, '192.0.2.1', '2001:db8::/64', id, '#abcdefghijklmnopqrstuv']
  expect(subjects.map(isOneAddress)).toEqual([true, true, true, false, false])
})

test('is never more than full', () => {
  expect([
    fullness({ used: 5, limit: 20 }),
    fullness({ used: 30, limit: 20 }),
    fullness({ used: 0, limit: 0 }),
  ]).toEqual([0.25, 1, 0])
})

test('a thing is named by its title, its kind, or what the caller sent', () => {
  const nothing = { input: 'slug', value: null, kind: null, title: '', owner: null, href: null, thumbnail: null }
  const image = { ...nothing, kind: 'image', title: 'Dune', owner: 'ada' } as const
  const person = { key: id, kind: 'user', name: 'ada' } as const
  const digest = { key: 'slug=#abcdefghijklmnopqrstuv', kind: 'digest', name: null } as const
  expect([
    argumentText(t, image),
    argumentText(t, { ...image, title: '' }),
    argumentText(t, { ...image, kind: 'share', title: 'Trip' }),
    argumentText(t, { ...nothing, value: 'abc' }),
    argumentText(t, nothing),
    countedText(t, person, image),
    countedText(t, digest, image),
    countedText(t, person, null),
  ]).toEqual([
    ...['Dune', 'an image of ada', 'Trip, shared by ada', 'slug abc', 'slug that is not known any more'],
    ...['ada: Dune', 'Dune', 'ada'],
  ])
})
