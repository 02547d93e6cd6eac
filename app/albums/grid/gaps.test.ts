import { expect, test } from 'vitest'
import { layOut } from '#app/gallery/timeline/grid-layout.ts'
import { findTarget, gapAt, markGap } from './gaps.ts'

// Three squares of 100 pixels in the first row, one in the second.
const layout = layOut([{ month: null, ratios: [1, 1, 1, 1] }], { width: 320, row: 100, gap: 10, heading: 0 })

test('a point is nearest to the gap at the half of the image that it is in', () => {
  expect([0, 49, 51, 159, 161, 271, 400].map((left) => gapAt(layout, left, 50))).toEqual([0, 0, 1, 1, 2, 3, 3])
  expect([0, 60, 300].map((left) => gapAt(layout, left, 150))).toEqual([3, 4, 4])
})

test('a point above or below the list is in its first or last row', () => {
  expect(gapAt(layout, 51, -40)).toBe(1)
  expect(gapAt(layout, 300, 9000)).toBe(4)
})

test('a gap is marked at the image after it, the last one at the end', () => {
  expect(markGap(layout, 0)).toEqual({ left: 0, top: 0, height: 100 })
  expect(markGap(layout, 1)).toEqual({ left: 105, top: 0, height: 100 })
  expect(markGap(layout, 3)).toEqual({ left: 0, top: 110, height: 100 })
  expect(markGap(layout, 4)).toEqual({ left: 100, top: 110, height: 100 })
  expect(markGap(layOut([], { width: 320, row: 100, gap: 10, heading: 0 }), 0)).toBeNull()
})

const items = ['a', 'b', 'c', 'd'].map((id) => ({ id }))
const target = (ids: string, gap: number) => {
  const found = findTarget(items, new Set(ids), gap)
  return found && `${found.isBefore ? 'before' : 'after'} ${found.item.id}`
}

test('images come beside the nearest one that is not moved', () => {
  expect(target('a', 2)).toBe('before c')
  expect(target('d', 0)).toBe('before a')
  expect(target('a', 4)).toBe('after d')
  expect(target('ac', 2)).toBe('before d')
  expect(target('cd', 1)).toBe('before b')
  expect(target('ad', 4)).toBe('after c')
})

test('nothing changes where the images are already', () => {
  expect(target('b', 1)).toBeNull()
  expect(target('b', 2)).toBeNull()
  expect(target('bc', 2)).toBeNull()
  expect(target('abcd', 0)).toBeNull()
  expect(target('x', 0)).toBeNull()
})
