import { expect, test } from 'vitest'
import { imageItem } from '#testing/images/image-item.ts'
import { toMonth } from './strip.ts'
import { firstMonths, fitsPart, joinFew, monthFor, withFirstPage, withoutPositions, withPosition } from './timeline.ts'

const at = (id: string, createdAt: string, width = 4) => imageItem(id, { createdAt, width })
const march = [at('c', '2026-03-09T00:00:00.000Z'), at('b', '2026-03-08T00:00:00.000Z', 3)]
const february = [at('a', '2026-02-01T00:00:00.000Z')]

const months = [
  toMonth('2026-03', [
    { cursor: null, ratios: [4 / 3, 1] },
    { cursor: 'x', ratios: [2] },
  ]),
  toMonth('2026-02', [{ cursor: 'y', ratios: [4 / 3, 4 / 3] }]),
]

test('a first page is shown by month before the months are known', () => {
  const { months: first, loaded } = firstMonths({ items: [...march, ...february], nextCursor: 'n' }, 'uploaded')
  expect(first.map(({ month, ratios }) => [month, ratios])).toEqual([
    ['2026-03', [4 / 3, 1]],
    ['2026-02', [4 / 3]],
  ])
  expect([...loaded.values()]).toEqual([march, february])
})

test('the few images that a search has found are side by side, in their order', () => {
  expect(joinFew(months)).toEqual([
    toMonth(
      null,
      months.flatMap(({ parts }) => parts),
    ),
  ])
  const many = [...months, toMonth('2026-01', [{ cursor: 'z', ratios: Array.from({ length: 56 }, () => 1) }])]
  expect(joinFew(many)).toBe(many)
  expect(joinFew(months.slice(0, 1))).toEqual(months.slice(0, 1))
})

test('a part is divided where the first page ends, which needs not be loaded again', () => {
  const page = { items: [...march, at('p', '2026-03-01T00:00:00.000Z', 6), ...february], nextCursor: 'n' }
  const { months: divided, loaded } = withFirstPage(months, page)
  expect(divided.flatMap(({ parts }) => parts)).toEqual([
    { cursor: null, ratios: [4 / 3, 1] },
    { cursor: 'x', ratios: [2] },
    { cursor: 'y', ratios: [4 / 3] },
    { cursor: 'n', ratios: [4 / 3] },
  ])
  expect([...loaded]).toEqual([
    [null, march],
    ['x', page.items.slice(2, 3)],
    ['y', february],
  ])
})

test.each([
  ['other shapes', { items: march.toReversed(), nextCursor: 'n' }],
  ['more images', { items: [...march, ...march, ...march], nextCursor: null }],
])('a first page of %s is not used', (_, page) => {
  const answer = withFirstPage(months, page)
  expect(answer.months).toBe(months)
  expect(answer.loaded.size).toBe(0)
})

test('images leave and enter their month, which ends with its last image', () => {
  const without = withoutPositions(months, 'x', new Set([0]))
  expect(without[0]?.ratios).toEqual([4 / 3, 1])
  expect(without[0]?.parts).toHaveLength(1)
  expect(withoutPositions(months, 'y', new Set([0, 1])).map(({ month }) => month)).toEqual(['2026-03'])
  expect(withPosition(months, null, 1, 2)[0]?.ratios).toEqual([4 / 3, 2, 1, 2])
  expect(months[0]?.ratios).toEqual([4 / 3, 1, 2])
})

test('the month of a picture is that of its camera, of an upload that of the reader', () => {
  const image = imageItem('a', { createdAt: '2026-03-15T12:00:00.000Z', takenAt: '2025-12-31T23:59:00.000Z' })
  expect(monthFor(image, 'taken', 'local')).toBe('2025-12')
  expect(monthFor({ ...image, takenAt: null }, 'taken', 'local')).toBe('2026-03')
  expect(monthFor(image, 'uploaded', 'utc')).toBe('2026-03')
  expect(monthFor(image, 'uploaded', 'local')).toBe('2026-03')
})

test('images fit a part by number and shape, as exactly as shapes are told', () => {
  expect(fitsPart([4 / 3, 1.0007], march)).toBe(true)
  expect(fitsPart([4 / 3, 1.01], march)).toBe(false)
  expect(fitsPart([4 / 3], march)).toBe(false)
})
