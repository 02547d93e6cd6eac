import { expect, test } from 'vitest'
import { secondsLeft, waitProgress } from './wait.ts'

test.each([
  [10_000, 0, 10],
  [10_000, 1, 10],
  [10_000, 9000, 1],
  [10_000, 9999, 1],
  [10_000, 10_000, 0],
  [10_000, 99_000, 0],
])('until %i at %i: %i s left', (until, now, expected) => {
  expect(secondsLeft(until, now)).toBe(expected)
})

test('progress goes from 0 to 1', () => {
  expect([0, 5000, 10_000, 20_000].map((now) => waitProgress(10_000, 10_000, now))).toEqual([0, 0.5, 1, 1])
  expect(waitProgress(0, 0, 0)).toBe(1)
})
