import { expect, test } from 'vitest'
import { count, formatBytes, formatDate } from './format.ts'

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

test('counts one and many', () => {
  expect([count(0, 'image'), count(1, 'image'), count(2, 'image')]).toEqual(['0 images', '1 image', '2 images'])
})
