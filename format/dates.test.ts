import { expect, test } from 'vitest'
import { daysIn, formatAgo, formatDate, formatDay, formatMonth, formatUntil, formatUtcMinute } from './dates.ts'

test('writes a date, and its time when asked', () => {
  expect(formatDate('2026-11-20T08:12:00Z', { time: false, timeZone: 'UTC' }, 'en')).toBe('20 Nov 2026')
  expect(formatDate('2026-11-20T08:12:00Z', { time: true, timeZone: 'UTC' }, 'en')).toBe('20 Nov 2026, 08:12')
})

test.each([
  ['2026-12-20T08:00:00Z', 'in 30 days'],
  ['2026-11-21T09:00:00Z', 'in 1 day'],
  ['2026-11-20T13:10:00Z', 'in 5 hours'],
  ['2026-11-20T08:10:00Z', 'soon'],
  ['2026-11-19T08:10:00Z', 'soon'],
])('%s is %s', (iso, expected) => {
  expect(formatUntil(iso, Date.parse('2026-11-20T08:00:00Z'), 'en')).toBe(expected)
})

test('writes the parts of a calendar in UTC', () => {
  expect([
    formatMonth('2025-12', 'en'),
    formatDay('2026-11-21', 'en'),
    formatUtcMinute('2026-11-20T08:12:59Z'),
  ]).toEqual(['December 2025', '21 Nov', '2026-11-20 08:12'])
})

test('says how long ago something was, and takes a time in the future for now', () => {
  expect([-500, 12_900, 59_999, 60_000, 3_599_000].map((ms) => formatAgo(ms, 'en'))).toEqual([
    '0 seconds ago',
    '12 seconds ago',
    '59 seconds ago',
    '1 minute ago',
    '59 minutes ago',
  ])
})

test('lists the days of a month, in leap years too', () => {
  expect(daysIn('2026-02')).toHaveLength(28)
  expect(daysIn('2028-02').at(-1)).toBe('2028-02-29')
  expect(daysIn('2026-12').at(0)).toBe('2026-12-01')
})
