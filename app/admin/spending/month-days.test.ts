import { expect, test } from 'vitest'
import { daysOf, peakOf, seriesOf } from './month-days.ts'

const nothing = { writes: 0, reads: 0, deletes: 0, bytesIn: 0, bytesOut: 0, nanos: 0 }
const days = [
  { ...nothing, day: '2026-02-02', reads: 5, writes: 2, deletes: 1, nanos: 70 },
  { ...nothing, day: '2026-02-28', reads: 9 },
]

test('a month has its days, in leap years too', () => {
  expect(daysOf('2026-02')).toHaveLength(28)
  expect(daysOf('2028-02').at(-1)).toBe('2028-02-29')
  expect(daysOf('2026-12').at(0)).toBe('2026-12-01')
})

test('a series has an amount of each day', () => {
  const series = seriesOf('requests', '2026-02', days)
  expect(series.map(({ word, amounts }) => [word, amounts.length, amounts[1], amounts[27]])).toEqual([
    ['reads', 28, 5, 9],
    ['writes and lists', 28, 2, 0],
    ['deletes', 28, 1, 0],
  ])
  expect(peakOf(series)).toBe(9)
  expect(peakOf(seriesOf('money', '2026-02', days))).toBe(70)
  expect(peakOf(seriesOf('bytes', '2026-02', []))).toBe(0)
})
