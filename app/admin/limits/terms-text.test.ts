import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { formatsFor } from '#format/formats.ts'
import { adminLimits } from '#messages/en/admin-limits.ts'
import type { Rule } from '#server/limits/rule-set.ts'
import {
  byText,
  compareTerms,
  isAmong,
  placeKey,
  ruleDetail,
  ruleText,
  targetName,
  termsSummary,
} from './terms-text.ts'
import type { DeclaredTerms } from './types.ts'

const format = formatsFor('en')
const t = createTranslator({ locale: 'en', messages: { adminLimits }, namespace: 'adminLimits' })

test.each<[Rule, string, string]>([
  [{ limit: 1200, window: '1m' }, '1,200 per minute', 'sliding-window-log'],
  [{ limit: 5, window: '1s', blockFor: '1m' }, '5 per second, then blocked for 1 minute', 'sliding-window-log'],
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
    'sliding-window-counter, 24 samples, oldest in full',
  ],
  [{ concurrent: 8, lease: '60s' }, '8 at the same time', 'concurrency, lease of 1 minute'],
])('%j', (rule, text, detail) => {
  expect([ruleText(format, rule), ruleDetail(t, format, rule)]).toEqual([text, detail])
})

const declared: DeclaredTerms = {
  rules: [{ limit: 5, window: '1s' }],
  mode: 'enforce',
  wait: null,
  onStoreFailure: 'local',
}

test('says what a rule set counts', () => {
  expect([byText(t, 'ip'), byText(t, { input: 'id', per: null }), byText(t, { input: 'id', per: 'subject' })]).toEqual([
    'per address',
    'per id, all callers together',
    'per id, then per user; guests and shared accounts per address',
  ])
})

test('compares term by term', () => {
  const effective: DeclaredTerms = { ...declared, mode: 'shadow', wait: '30s', rules: [{ limit: 6, window: '1s' }] }
  const compared = compareTerms(t, format, { declared, effective })
  const line = (text: string, detail: string | null = null) => [{ text, detail }]
  expect(compared).toEqual([
    {
      term: 'rules',
      declared: line('5 per second', 'sliding-window-log'),
      effective: line('6 per second', 'sliding-window-log'),
      differs: true,
    },
    {
      term: 'mode',
      declared: line('Enforce: refuse calls over the limit'),
      effective: line('Shadow: count, refuse nothing'),
      differs: true,
    },
    { term: 'wait', declared: line('None'), effective: line('Up to 30 seconds'), differs: true },
    {
      term: 'onStoreFailure',
      declared: line('Count in each process'),
      effective: line('Count in each process'),
      differs: false,
    },
  ])
})

test('finds the rules that differ from the declared ones', () => {
  const log = (text: string) => ({ text, detail: 'sliding-window-log' })
  const lines = [log('5 per second'), log('60 per minute')]
  expect(lines.map((line) => isAmong(line, [log('6 per second'), log('60 per minute')]))).toEqual([false, true])
  expect(isAmong(log('60 per minute'), [{ text: '60 per minute', detail: 'token-bucket' }])).toBe(false)
})

test('summarizes an override in one line', () => {
  expect(termsSummary(t, format, { rules: [{ limit: 6, window: '1s' }], wait: '90s', onStoreFailure: 'deny' })).toBe(
    '6 per second; waits up to 90 seconds; refuses everything on store failure',
  )
  expect(termsSummary(t, format, { mode: 'shadow', wait: null })).toBe('mode: shadow; does not wait')
})

test('names the target', () => {
  const subject = { kind: 'subject', subject: 'id1' } as const
  expect([
    targetName(t, { kind: 'all' }),
    targetName(t, { kind: 'role', role: 'guest' }),
    targetName(t, subject, 'ada'),
    targetName(t, subject),
    targetName(t, { kind: 'subject', subject: '198.51.100.1:id1' }, 'demo'),
  ]).toEqual(['everyone', 'guests', 'ada', 'id1', 'demo at 198.51.100.1'])
})

test('tells places apart', () => {
  const subject = { kind: 'subject', subject: 'id1' } as const
  const places = [
    ...[{ target: subject }, { target: { ...subject } }, { target: { kind: 'argument', value: 'id1' } }],
    ...[{ target: { kind: 'all' } }, { target: { kind: 'all' }, procedure: 'image.list' }],
  ] as const
  expect(new Set(places.map(placeKey)).size).toBe(4)
})
