import { expect, test } from 'vitest'
import { findPeak, lastMonths, seriesFor } from './month-days.ts'

const nothing = { writes: 0, reads: 0, deletes: 0, bytesIn: 0, bytesOut: 0, nanos: 0 }
const month = {
  days: [
    { ...nothing, day: '2026-02-02', reads: 5, writes: 2, deletes: 1, nanos: 70 },
    { ...nothing, day: '2026-02-28', reads: 9 },
  ],
  served: [{ day: '2026-02-03', calls: 2, sent: 300 }],
  storedDays: [
    { day: '2026-02-01', bytes: 50 },
    { day: '2026-02-02', bytes: 40 },
  ],
}

test('a series has one amount per day', () => {
  const series = seriesFor('requests', '2026-02', month)
  expect(series.map(({ name, amounts }) => [name, amounts.length, amounts[1], amounts[27]])).toEqual([
    ['reads', 28, 5, 9],
    ['writes', 28, 2, 0],
    ['deletes', 28, 1, 0],
  ])
  expect(findPeak(series)).toBe(9)
  expect(findPeak(seriesFor('money', '2026-02', month))).toBe(70)
  expect(findPeak(seriesFor('bytes', '2026-02', { days: [], served: [], storedDays: [] }))).toBe(0)
  const first = (measure: 'stored' | 'served') => seriesFor(measure, '2026-02', month)[0]?.amounts.slice(0, 4)
  expect([first('stored'), first('served')]).toEqual([
    [50, 40, 0, 0],
    [0, 0, 300, 0],
  ])
})

test('lists past months across the turn of the year', () => {
  expect(lastMonths('2026-02', 4)).toEqual(['2026-02', '2026-01', '2025-12', '2025-11'])
})
