import { expect, test } from 'vitest'
import { neighbour, nextFocus, type TileBox } from './neighbour.ts'

// Rows of tiles of different widths: 0 and 1 | 2, 3 and 4 | 5.
const boxes: TileBox[] = [
  { left: 0, top: 0, width: 300, height: 100 },
  { left: 306, top: 0, width: 100, height: 100 },
  { left: 0, top: 106, width: 100, height: 90 },
  { left: 106, top: 106, width: 150, height: 90 },
  { left: 262, top: 106, width: 144, height: 90 },
  { left: 0, top: 202, width: 200, height: 100 },
]

test.each([
  [0, 'left', 0],
  [1, 'left', 0],
  [1, 'right', 2],
  [5, 'right', 5],
  [0, 'down', 3],
  [1, 'down', 4],
  [4, 'up', 1],
  [3, 'up', 0],
  [4, 'down', 5],
  [5, 'up', 2],
  [5, 'down', 5],
  [0, 'up', 0],
] as const)('from %i %s to %i', (from, direction, to) => {
  expect(neighbour(boxes, from, direction)).toBe(to)
})

test.each([
  ['the next', 1, ['b'], 'c'],
  ['the one before the last', 3, ['d'], 'c'],
  ['the next that stays', 1, ['b', 'c'], 'd'],
  ['none when all go', 0, ['a', 'b', 'c', 'd'], null],
  ['none when the one in focus stays', 0, ['b'], null],
  ['none when nothing goes', 0, [], null],
] as const)('focus moves to %s', (_, index, going, heir) => {
  expect(nextFocus(['a', 'b', 'c', 'd'], index, going)).toBe(heir)
})
