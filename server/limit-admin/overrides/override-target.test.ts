import { describe, expect, it, test } from 'vitest'
import { subjectOf } from '#server/limits/subject.ts'
import { describeSubject } from '../shown-subject.ts'
import { parseSubject } from '../subject-key.ts'
import { parseTarget, targetSchema, targetText } from './override-target.ts'

const USER = '01234567-89ab-4def-8123-456789abcdef'
const DIGEST = subjectOf('subject', { subject: 'ann\n192.0.2.1' })

describe('a subject', () => {
  it.each([
    [USER, { kind: 'user', key: USER, userId: USER }],
    ['192.0.2.1', { kind: 'address', key: '192.0.2.1', address: '192.0.2.1' }],
    ['::ffff:192.0.2.1', { kind: 'address', key: '192.0.2.1', address: '192.0.2.1' }],
    ['2001:DB8:0::7', { kind: 'address', key: '2001:db8::/64', address: '2001:db8::/64' }],
    ['2001:db8::/64', { kind: 'address', key: '2001:db8::/64', address: '2001:db8::/64' }],
    [`192.0.2.1:${USER}`, { kind: 'shared', key: `192.0.2.1:${USER}`, address: '192.0.2.1', userId: USER }],
    [`2001:db8::/64:${USER}`, { kind: 'shared', key: `2001:db8::/64:${USER}`, address: '2001:db8::/64', userId: USER }],
    [`token/${USER}`, { kind: 'token', key: `token/${USER}`, tokenId: USER }],
    [`TOKEN/${USER.toUpperCase()}`, { kind: 'token', key: `token/${USER}`, tokenId: USER }],
    ['token/', null],
    [`token/${USER}x`, null],
    [DIGEST, { kind: 'digest', key: DIGEST }],
    ['site', { kind: 'site', key: 'site' }],
    [USER.toUpperCase(), { kind: 'user', key: USER, userId: USER }],
    [
      `::FFFF:192.0.2.1:${USER.toUpperCase()}`,
      { kind: 'shared', key: `192.0.2.1:${USER}`, address: '192.0.2.1', userId: USER },
    ],
    ['192.0.2.1/64', null],
    ['2001:DB8:1::/48', { kind: 'network', key: '2001:db8:1::/48' }],
    ['192.0.2.7/24', { kind: 'network', key: '192.0.2.0/24' }],
    ['2001:db8::/24', null],
    ['192.0.2.0/48', null],
    ['ann/24', null],
    ['ann', null],
    ['192.0.2', null],
    ['', null],
    [`:${USER}`, null],
    ['id=#abc', null],
  ])('parses %j', (text, subject) => {
    expect(parseSubject(text)).toEqual(subject)
  })

  it('is written as in the keys of the limiter', () => {
    const address = '2001:db8::/64'
    const shared = { address, userId: USER, shared: true }
    const token = { subjectKey: `token/${USER}` }
    for (const key of [
      subjectOf('subject', token),
      subjectOf('subject', shared),
      subjectOf('ip', shared),
      subjectOf('user', shared),
    ])
      expect(parseSubject(key)?.key).toBe(key)
  })

  it('is described, without its address for a shared viewer', () => {
    const names = new Map([[USER, 'Ann']])
    const shown = (subject: string, showsAddresses: boolean) =>
      Object.values(describeSubject(subject, names, showsAddresses))
    expect(shown(USER, false)).toEqual([USER, 'user', 'Ann'])
    expect(shown(`token/${USER}`, false)).toEqual([`token/${USER}`, 'token', 'Ann'])
    expect(shown(`192.0.2.1:${USER}`, true)).toEqual([`192.0.2.1:${USER}`, 'shared', 'Ann'])
    expect(shown(`192.0.2.1:${USER}`, false)).toEqual([USER, 'shared', 'Ann'])
    expect(shown('192.0.2.1', true)).toEqual(['192.0.2.1', 'address', null])
    expect(shown('192.0.2.1', false)).toEqual(['hidden', 'address', null])
    expect(shown(DIGEST, false)).toEqual([DIGEST, 'digest', null])
    expect(shown('slug=#x', false)).toEqual(['slug=#x', 'digest', null])
    expect(shown('site', false)).toEqual(['site', 'site', null])
    expect(Object.values(describeSubject(USER, new Map(), true))).toEqual([USER, 'user', null])
  })
})

test('a target survives being stored as text', () => {
  const targets = [
    { kind: 'all' },
    { kind: 'role', role: 'guest' },
    { kind: 'subject', subject: `192.0.2.1:${USER}` },
    { kind: 'subject', subject: `token/${USER}` },
  ]
  const texts = ['all', 'role/guest', `subject/192.0.2.1:${USER}`, `subject/token/${USER}`]
  expect(targets.map((target) => targetText(targetSchema.parse(target)))).toEqual(texts)
  expect(texts.map(parseTarget)).toEqual(targets)
  expect(['', 'role', 'role/superadmin', 'all/x', 'subject/ann', 'plan/gold'].map(parseTarget)).toEqual(
    Array.from({ length: 6 }, () => null),
  )
})
