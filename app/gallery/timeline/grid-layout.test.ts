import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findPlace, indexAt, type Layout, layOut, listVisible, neighbour } from './grid-layout.ts'
import { justify, listBoxes } from './justify.ts'

const ratios = fc.array(fc.double({ min: 1 / 20, max: 20, noNaN: true }), { minLength: 1, maxLength: 120 })
const sizes = fc.record({
  width: fc.integer({ min: 200, max: 4000 }),
  row: fc.integer({ min: 60, max: 400 }),
  gap: fc.integer({ min: 0, max: 12 }),
})

test('rows keep the order, fill the width exactly and do not overlap, for any shapes', () => {
  fc.assert(
    fc.property(ratios, sizes, (shapes, size) => {
      const { rows, height } = justify(shapes, size)
      let [next, top] = [0, 0]
      rows.forEach((row, at) => {
        expect(row.first).toBe(next)
        expect(row.count).toBeGreaterThan(0)
        expect(row.top).toBeCloseTo(top, 6)
        const boxes = listBoxes(row, shapes, size.gap)
        let left = 0
        boxes.forEach((box, place) => {
          expect(box.left).toBeCloseTo(left, 6)
          expect(box.height).toBe(row.height)
          expect(box.width / box.height).toBeCloseTo(shapes[row.first + place] ?? 0, 6)
          left += box.width + size.gap
        })
        const isOpen = at === rows.length - 1 && row.height === size.row
        if (!isOpen) expect(left - size.gap).toBeCloseTo(size.width, 6)
        else expect(left - size.gap).toBeLessThanOrEqual(size.width)
        next += row.count
        top += row.height + size.gap
      })
      expect(next).toBe(shapes.length)
      const last = rows.at(-1)
      expect(height).toBeGreaterThanOrEqual((last?.top ?? 0) + (last?.height ?? 0))
    }),
  )
})

test('no row could have held the first image of the next one', () => {
  fc.assert(
    fc.property(ratios, sizes, (shapes, size) => {
      for (const { first, count } of justify(shapes, size).rows) {
        const natural = (amount: number) =>
          shapes.slice(first, first + amount).reduce((sum, ratio) => sum + ratio * size.row, (amount - 1) * size.gap)
        if (count > 1) expect(natural(count)).toBeLessThanOrEqual(size.width + 0.02)
        if (first + count < shapes.length) expect(natural(count + 1)).toBeGreaterThan(size.width)
      }
    }),
  )
})

const months = fc.array(
  fc.record({ month: fc.constant('2026-03'), ratios: fc.array(fc.double({ min: 0.56, max: 2.8, noNaN: true })) }),
)

test('every image is found where it is, whatever is visible', () => {
  fc.assert(
    fc.property(months, sizes, fc.nat(5000), fc.nat(3000), (shapes, size, top, length) => {
      const layout = layOut(shapes, { ...size, heading: 48 })
      const seen = listVisible(layout, top, top + length).flatMap(({ block, rows }) =>
        rows.flatMap(({ first, count }) => Array.from({ length: count }, (_, at) => block.first + first + at)),
      )
      expect(seen).toEqual([...seen].sort((one, other) => one - other))
      for (let index = 0; index < layout.total; index += 1) {
        const { box, block } = findPlace(layout, index) ?? {}
        expect((block?.first ?? 0) <= index && index < (block?.first ?? 0) + (block?.ratios.length ?? 0)).toBe(true)
        const isSeen = (box?.top ?? 0) < top + length && (box?.top ?? 0) + (box?.height ?? 0) > top
        if (isSeen) expect(seen).toContain(index)
      }
    }),
    { numRuns: 50 },
  )
})

// Rows: 0, 1 and 2 | 3 and 4 of March; 5 of February.
const two: Layout = layOut(
  [
    { month: '2026-03', ratios: [1, 1, 1, 2, 1] },
    { month: '2026-02', ratios: [1] },
  ],
  { width: 320, row: 100, gap: 10, heading: 40 },
)

test('months stand below each other, each below its heading', () => {
  expect(two.blocks.map(({ top, height, first }) => ({ top, height, first }))).toEqual([
    { top: 0, height: 40 + 100 + 10 + 310 / 3 + 10, first: 0 },
    { top: 160 + 310 / 3, height: 140, first: 5 },
  ])
  expect(two).toMatchObject({ height: 300 + 310 / 3, total: 6 })
  expect(layOut([], { width: 320, row: 100, gap: 10, heading: 40 })).toMatchObject({ height: 0, total: 0 })
})

test.each([
  [0, 'left', 0],
  [1, 'left', 0],
  [2, 'right', 3],
  [5, 'right', 5],
  [0, 'down', 3],
  [2, 'down', 4],
  [4, 'up', 2],
  [4, 'down', 5],
  [5, 'up', 3],
  [5, 'down', 5],
  [0, 'up', 0],
] as const)('from %i %s to %i', (from, direction, to) => {
  expect(neighbour(two, from, direction)).toBe(to)
})

test('the image at a height is the first of its row', () => {
  expect([0, 45, 149, 151, 265, 9999].map((top) => indexAt(two, top))).toEqual([0, 0, 0, 3, 5, 5])
})

test('there is no place beyond the list', () => {
  expect([findPlace(two, -1), findPlace(two, 6)]).toEqual([null, null])
})
