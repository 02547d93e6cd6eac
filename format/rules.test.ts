import { expect, test } from 'vitest'
import { formatAmount, formatRule, type RuleParts } from './rules.ts'

test.each<[RuleParts, string]>([
  [{ limit: 1200, window: '1m' }, '1,200 per minute'],
  [{ limit: 2, window: 900_000 }, '2 per 15 minutes'],
  [{ limit: 5, window: '1s', blockFor: '1m' }, '5 per second, then blocked for 1 minute'],
  [{ limit: '20GB', window: '1d', calendar: 'day' }, '20 GiB per calendar day'],
  [{ limit: 1024, unit: 'bytes', window: '1h', atOnce: 512 }, '1 KiB per hour, 512 B at once'],
  [{ limit: 60, window: '1m', atOnce: 10 }, '60 per minute, 10 at once'],
  [{ limit: 60, window: '1m', atOnce: 60 }, '60 per minute'],
  [{ concurrent: 1500 }, '1,500 at the same time'],
])('%j is %s', (rule, text) => {
  expect(formatRule(rule, 'en')).toBe(text)
})

test('formats amounts', () => {
  expect([
    formatAmount(15_000, 'calls', 'en'),
    formatAmount('20GB', 'bytes', 'en'),
    formatAmount(1_000, 'bytes', 'en'),
  ]).toEqual(['15,000', '20 GiB', '1,000 B'])
})
