import { expect, test } from 'vitest'
import { nearestVariant, sizeWithin, variantBox, widthsFor } from './variant.ts'

test.each([
  [1, 400],
  [599, 400],
  [600, 400],
  [601, 800],
  [1_200, 800],
  [1_201, 1600],
  [99_999, 1600],
])('the variant nearest to %d is %d', (requested, width) => expect(nearestVariant(requested)).toBe(width))

test.each([
  [1, 1, [400]],
  [400, 1_600, [400]],
  [400, 1_601, [400, 800]],
  [401, 1, [400, 800]],
  [801, 1, [400, 800, 1600]],
  [9_000, 9_000, [400, 800, 1600]],
])('a picture of %d x %d has the variants %j', (width, height, widths) =>
  expect(widthsFor({ width, height })).toEqual(widths),
)

test.each([
  [4_000, 3_000, 400, 400, 300],
  [3_000, 4_000, 400, 400, 533],
  [200, 100, 400, 200, 100],
  [100, 60_000, 400, 3, 1_600],
  [60_000, 1, 400, 400, 1],
])('%d x %d is scaled for %d to %d x %d', (width, height, wanted, shrunkWidth, shrunkHeight) => {
  const box = variantBox(wanted === 400 ? 400 : 1600)
  expect(sizeWithin({ width, height }, box)).toEqual({ width: shrunkWidth, height: shrunkHeight })
})
