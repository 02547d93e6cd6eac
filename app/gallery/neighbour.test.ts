import { expect, test } from 'vitest'
import { type Box, neighbour } from './neighbour.ts'

// Rows of unequal pictures: 0 and 1 | 2, 3 and 4 | 5.
const boxes: Box[] = [
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
