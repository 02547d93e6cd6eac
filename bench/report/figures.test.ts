import { expect, test } from 'vitest'
import { atLeast, atMost, median, spreadOf, verdict } from './figures.ts'

test('a figure equal to its target meets it, unless it must be strictly better', () => {
  expect([1.49, 1.5].map((figure) => verdict(atLeast(1.5), figure))).toEqual(['short', 'met'])
  expect([1.15, 1.16].map((figure) => verdict(atMost(1.15), figure))).toEqual(['met', 'short'])
  expect([1, 1.01].map((figure) => verdict({ bound: 'more than', value: 1 }, figure))).toEqual(['short', 'met'])
})

test('a figure that was not measured meets no target', () => {
  expect([atLeast(1), atMost(1)].map((target) => verdict(target, Number.NaN))).toEqual(['short', 'short'])
})

test('the median is the middle, or the mean of two', () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([2, 2.5])
  expect(spreadOf([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 })
})
