import { expect, test } from 'vitest'
import { chooseCeiling, sumTraffic } from './traffic-chart.tsx'

const series = (start: readonly number[]) => [...start, ...Array<number>(60 - start.length).fill(0)]

test('adds up the procedures second by second', () => {
  const traffic = sumTraffic([
    { perSecond: 1.5, passed: series([1, 2]), refused: series([0, 4]) },
    { perSecond: 2, passed: series([3]), refused: series([]) },
  ])
  expect(traffic).toEqual({
    perSecond: 3.5,
    passed: series([4, 2]),
    refused: series([0, 4]),
    passedInAll: 6,
    refusedInAll: 4,
    peak: 6,
  })
})

test('shows 60 seconds of zeros without calls', () => {
  expect(sumTraffic([])).toMatchObject({ perSecond: 0, passed: series([]), peak: 0 })
})

test.each([
  [0, 5],
  [5, 5],
  [6, 10],
  [10, 10],
  [11, 20],
  [21, 50],
  [51, 100],
  [100, 100],
  [101, 200],
  [3456, 5000],
])('a peak of %i has the ceiling %i', (peak, ceiling) => {
  expect(chooseCeiling(peak)).toBe(ceiling)
})
