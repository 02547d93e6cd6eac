import { expect, test } from 'vitest'
import { hasRoom } from './tile-shape.ts'

const portrait = { width: 900, height: 1600 }
const square = { width: 1000, height: 1000 }

test('a tile has room for buttons by its width, or before it is placed by what it has on a phone', () => {
  const box = { top: 0, left: 0, height: 100 }
  expect([hasRoom(portrait, { ...box, width: 88 }), hasRoom(square, { ...box, width: 87 })]).toEqual([true, false])
  expect([hasRoom(portrait, null), hasRoom(square, null)]).toEqual([false, true])
})
