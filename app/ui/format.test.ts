import { expect, test } from 'vitest'
import { count, formatBytes, formatCount, formatDate, formatUntil } from './format.ts'

test.each([
  [0, '0 bytes'],
  [812, '812 bytes'],
  [1024, '1 kB'],
  [1_449_000, '1.4 MB'],
  [10_460_000, '10 MB'],
  [1_048_300, '1 MB'],
  [26_214_400, '25 MB'],
  [2 ** 51, '2048 TB'],
])('%i bytes read %s', (bytes, expected) => {
  expect(formatBytes(bytes)).toBe(expected)
})

test('writes a date, and its time when asked', () => {
  expect(formatDate('2026-11-20T08:12:00Z', { time: false, timeZone: 'UTC' })).toBe('20 Nov 2026')
  expect(formatDate('2026-11-20T08:12:00Z', { time: true, timeZone: 'UTC' })).toBe('20 Nov 2026, 08:12')
})

test('groups the digits of large numbers', () => {
  expect([999, 15_000, 1_234_567].map(formatCount)).toEqual(['999', '15,000', '1,234,567'])
})

test('counts one and many', () => {
  expect([count(0, 'image'), count(1, 'image'), count(2, 'image')]).toEqual(['0 images', '1 image', '2 images'])
  expect(count(1027, 'image')).toBe('1,027 images')
})

test.each([
  ['2026-12-20T08:00:00Z', 'in 30 days'],
  ['2026-11-21T09:00:00Z', 'in 1 day'],
  ['2026-11-20T13:10:00Z', 'in 5 hours'],
  ['2026-11-20T08:10:00Z', 'soon'],
  ['2026-11-19T08:10:00Z', 'soon'],
])('%s is %s', (iso, expected) => {
  expect(formatUntil(iso, Date.parse('2026-11-20T08:00:00Z'))).toBe(expected)
})
