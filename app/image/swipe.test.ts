import { expect, test } from 'vitest'
import { readSwipe } from './swipe.ts'

test.each([
  [-48, 0, 'next'],
  [90, 60, 'previous'],
  [-47, 0, null],
  [60, 60, null],
  [0, 300, null],
] as const)('a swipe by %i across and %i down requests %s', (x, y, expected) => {
  expect(readSwipe({ x: 200, y: 100 }, { x: 200 + x, y: 100 + y })).toBe(expected)
})
