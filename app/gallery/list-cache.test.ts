import { expect, test } from 'vitest'
import { imageItem } from '#testing/images/image-item.ts'
import { type ImageList, listItems, withChangedImage, withImage, withoutImages } from './list-cache.ts'

const image = (id: string, day: number) => imageItem(id, { createdAt: `2026-11-0${day}T00:00:00.000Z` })

const list = (nextCursor: string | null): ImageList => ({
  pages: [
    { items: [image('e', 9), image('d', 7)], nextCursor: 'd' },
    { items: [image('c', 5), image('b', 3)], nextCursor },
  ],
  pageParams: [null, 'd'],
})
const ids = (of: ImageList) => of.pages.map(({ items }) => items.map(({ id }) => id))

test('removes images from every page', () => {
  expect(ids(withoutImages(list(null), new Set(['e', 'b'])))).toEqual([['d'], ['c']])
})

test('inserts an image by its date', () => {
  expect(ids(withImage(list(null), image('x', 8)))).toEqual([
    ['e', 'x', 'd'],
    ['c', 'b'],
  ])
  expect(ids(withImage(list(null), image('x', 1)))).toEqual([
    ['e', 'd'],
    ['c', 'b', 'x'],
  ])
})

test('sorts images of the same instant by id', () => {
  expect(ids(withImage(list(null), image('f', 9)))).toEqual([
    ['f', 'e', 'd'],
    ['c', 'b'],
  ])
  expect(ids(withImage(list(null), image('a', 9)))).toEqual([
    ['e', 'a', 'd'],
    ['c', 'b'],
  ])
})

test('does not insert an image older than the loaded pages', () => {
  expect(ids(withImage(list('b'), image('x', 1)))).toEqual([
    ['e', 'd'],
    ['c', 'b'],
  ])
})

test('replaces an image in place', () => {
  const renamed = { ...image('c', 5), title: 'Weir' }
  expect(listItems(withImage(list(null), renamed))[2]?.title).toBe('Weir')
  expect(listItems(withChangedImage(list(null), renamed))[2]?.title).toBe('Weir')
  expect(ids(withImage(list(null), renamed))).toEqual(ids(list(null)))
})

test('returns no images without a loaded list', () => {
  expect(listItems(undefined)).toEqual([])
})

test('sorts the trash by the date of deletion', () => {
  const trashed = (id: string, day: number, at: number) => ({
    ...image(id, day),
    trashedAt: `2026-12-0${at}T00:00:00.000Z`,
  })
  const trash: ImageList = {
    pages: [{ items: [trashed('a', 1, 9), trashed('b', 8, 2)], nextCursor: null }],
    pageParams: [null],
  }
  expect(ids(withImage(trash, trashed('c', 2, 5)))).toEqual([['a', 'c', 'b']])
})
