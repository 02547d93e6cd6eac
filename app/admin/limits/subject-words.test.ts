import { expect, test } from 'vitest'
import { fullness, isAddress, subjectWords } from './subject-words.ts'

const id = '0b0e8f5e-6a53-4b0a-9d0a-1d2f3a4b5c6d'

test.each([
  ['user', id, 'ada', 'ada'],
  ['user', id, null, 'A user who is gone'],
  ['address', '192.0.2.1', null, '192.0.2.1'],
  ['address', 'hidden', null, 'An address'],
  ['shared', `2001:db8::/64:${id}`, 'demo', 'demo at 2001:db8::/64'],
  ['shared', id, 'demo', 'demo'],
  ['digest', '#abcdefghijklmnopqrstuv', null, 'A name or argument (#abcdef…)'],
  ['site', 'site', null, 'Everybody together'],
] as const)('%s %s of %s is %s', (kind, key, name, words) => {
  expect(subjectWords({ kind, key, name })).toBe(words)
})

test('knows an address as the limiter counts it', () => {
  expect(['192.0.2.1', '2001:db8::/64', '2001:DB8:0:1::/64'].map(isAddress)).toEqual([true, true, true])
  expect(['ada', 'ada.b', '2001:db8::1', '192.0.2', ''].map(isAddress)).toEqual([false, false, false, false, false])
})

test('is never fuller than full', () => {
  expect([
    fullness({ used: 5, limit: 20 }),
    fullness({ used: 30, limit: 20 }),
    fullness({ used: 0, limit: 0 }),
  ]).toEqual([0.25, 1, 0])
})
