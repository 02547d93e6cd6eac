import { expect, test } from 'vitest'
import { describeWait, secondsLeft, waitProgress } from './wait.ts'

test.each([
  [10_000, 0, 10],
  [10_000, 1, 10],
  [10_000, 9000, 1],
  [10_000, 9999, 1],
  [10_000, 10_000, 0],
  [10_000, 99_000, 0],
])('until %i at %i: %i s', (until, now, expected) => {
  expect(secondsLeft(until, now)).toBe(expected)
})

test.each([
  [0, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [125, '2 min 5 s'],
  [3600, '1 h'],
  [3780, '1 h 3 min'],
  [86_399, '23 h 59 min'],
  [86_400, '1 d'],
  [2_599_200, '30 d 2 h'],
])('%i seconds read %s', (seconds, expected) => {
  expect(describeWait(seconds)).toBe(expected)
})

test('progress runs from 0 to 1', () => {
  expect([0, 5000, 10_000, 20_000].map((now) => waitProgress(10_000, 10_000, now))).toEqual([0, 0.5, 1, 1])
  expect(waitProgress(0, 0, 0)).toBe(1)
})
