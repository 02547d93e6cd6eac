import { expect, test } from 'vitest'
import type { Rule } from '#server/limits/rule-set.ts'
import type { DeclaredTerms } from './types.ts'
import {
  compareTerms,
  countingWords,
  isAmong,
  ruleWords,
  sameTarget,
  targetWords,
  termsWords,
  waitWords,
} from './words.ts'

test.each<[Rule, string, string]>([
  [{ limit: 1200, window: '1m' }, '1,200 per minute', 'sliding-window-log'],
  [{ limit: 5, window: '1s', blockFor: '1m' }, '5 per second, then none for 1 minute', 'sliding-window-log'],
  [{ limit: '20GB', window: '1d', algorithm: 'fixed-window', align: 'day' }, '20 GiB per calendar day', 'fixed-window'],
  [
    { limit: 2, window: '15m', algorithm: 'fixed-window', align: 'window' },
    '2 per 15 minutes',
    'fixed-window, aligned',
  ],
  [{ limit: 60, window: '1m', algorithm: 'token-bucket', burst: 10 }, '60 per minute, 10 at once', 'token-bucket'],
  [
    { limit: 9, window: '1h', algorithm: 'sliding-window-counter', samples: 24, oldest: 'whole' },
    '9 per hour',
    'sliding-window-counter, 24 samples, the oldest whole',
  ],
  [{ concurrent: 8, lease: '60s' }, '8 at the same time', 'concurrency, a lease of 1 minute'],
])('%j', (rule, words, counting) => {
  expect([ruleWords(rule), countingWords(rule)]).toEqual([words, counting])
})

const declared: DeclaredTerms = {
  rules: [{ limit: 5, window: '1s' }],
  mode: 'enforce',
  wait: null,
  onStoreFailure: 'local',
}

test('compares term by term', () => {
  const compared = compareTerms(declared, { ...declared, mode: 'shadow', rules: [{ limit: 6, window: '1s' }] })
  expect(compared.map(({ term, differs }) => [term, differs])).toEqual([
    ['Rules', true],
    ['Mode', true],
    ['Waiting', false],
    ['While the store fails', false],
  ])
  expect(compared[0]).toMatchObject({
    declared: [{ words: '5 per second', detail: 'sliding-window-log' }],
    holds: [{ words: '6 per second', detail: 'sliding-window-log' }],
  })
})

test('of several rules those stand out that are not declared so', () => {
  const log = (words: string) => ({ words, detail: 'sliding-window-log' })
  const lines = [log('5 per second'), log('60 per minute')]
  expect(lines.map((line) => isAmong(line, [log('6 per second'), log('60 per minute')]))).toEqual([false, true])
  expect(isAmong(log('60 per minute'), [{ words: '60 per minute', detail: 'token-bucket' }])).toBe(false)
})

test('tells an override in a line', () => {
  expect(termsWords({ rules: [{ limit: 6, window: '1s' }], wait: '90s', onStoreFailure: 'deny' })).toBe(
    '6 per second; waits up to 90 seconds; while the store fails refuses everything',
  )
  expect(termsWords({ mode: 'shadow', wait: null })).toBe('counts only, refuses nothing (shadow); does not wait')
  expect(waitWords('1m')).toBe('waits up to 1 minute')
})

test('names whom it is for', () => {
  const subject = { kind: 'subject', subject: 'id1' } as const
  expect([
    targetWords({ kind: 'all' }),
    targetWords({ kind: 'role', role: 'guest' }),
    targetWords(subject, 'ada'),
    targetWords(subject),
    targetWords({ kind: 'subject', subject: '198.51.100.1:id1' }, 'demo'),
  ]).toEqual(['everybody', 'every guest', 'ada', 'id1', 'demo at 198.51.100.1'])
  expect([sameTarget(subject, { ...subject }), sameTarget(subject, { kind: 'all' })]).toEqual([true, false])
})
