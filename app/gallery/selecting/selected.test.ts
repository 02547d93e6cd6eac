import { expect, test } from 'vitest'
import { imageItem } from '#testing/images/image-item.ts'
import { NOTHING, type Selected, withChanged, withImages, withoutImages, withToggled } from './selected.ts'

const [a, b, c] = [imageItem('a'), imageItem('b'), imageItem('c')]
const listIds = (selected: Selected) => [...selected.keys()]

test('selects each image once', () => {
  expect(listIds(withImages(withImages(NOTHING, [a, b]), [b, c]))).toEqual(['a', 'b', 'c'])
})

test('drops images that are gone, and stays the same if none of them is selected', () => {
  const all = withImages(NOTHING, [a, b])
  expect(listIds(withoutImages(all, ['a', 'c']))).toEqual(['b'])
  expect(withoutImages(all, ['c'])).toBe(all)
})

test('toggles an image', () => {
  const all = withImages(NOTHING, [a, b])
  expect(listIds(withToggled(all, b))).toEqual(['a'])
  expect(listIds(withToggled(all, c))).toEqual(['a', 'b', 'c'])
})

test('a change of an image reaches the selection, but selects nothing', () => {
  const all = withImages(NOTHING, [a, b])
  expect(withChanged(all, { ...a, visibility: 'public' }).get('a')?.visibility).toBe('public')
  expect(withChanged(all, c)).toBe(all)
})
