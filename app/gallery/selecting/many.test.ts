import { expect, test } from 'vitest'
import type { ImageItem } from '#app/connection/trpc.ts'
import { isInPlace, leftOf, linesOf, visibilityWords } from './many.ts'

const imageOf = (id: string, title: string | null): ImageItem => ({
  ...{ id, title, slug: null, url: null, thumbnailUrl: null, variants: null, placeholder: null },
  ...{ width: 1, height: 1, size: 1, mime: 'image/png', frames: 1, sha256: null, filename: null },
  ...{ visibility: 'private', createdAt: '', trashedAt: null, purgeAt: null, mine: false },
  owner: { id: 'o', username: 'ada' },
})

test('what was not done is told image by image, in their order', () => {
  const images = ['a', 'b', 'c', 'd', 'e'].map((id) => imageOf(id, id === 'e' ? null : `title of ${id}`))
  const left = leftOf(images, [
    { id: 'e', outcome: 'not-found' },
    { id: 'a', outcome: 'done', image: null },
    { id: 'c', outcome: 'limited' },
    { id: 'b', outcome: 'forbidden' },
  ])
  expect(linesOf(left)).toEqual([
    'title of b: not yours',
    'title of c: more than you may moderate for now',
    'Private image of ada: not there any more',
  ])
  expect(left.map(isInPlace)).toEqual([true, true, false])
})

test('of more than five that were not done, how many for each reason', () => {
  const images = Array.from({ length: 6 }, (_, at) => imageOf(`${at}`, `title ${at}`))
  const items = images.map(({ id }, at) => ({ id, outcome: at === 2 ? ('forbidden' as const) : ('limited' as const) }))
  const left = leftOf(images, items)
  expect(linesOf(left)).toEqual(['5 images: more than you may moderate for now', '1 image: not yours'])
  expect(linesOf(left.slice(1))).toHaveLength(5)
})

test('who sees images now is said in a sentence', () => {
  expect(visibilityWords(1, 'private')).toBe('1 image is private now.')
  expect(visibilityWords(23, 'private')).toBe('23 images are private now.')
  expect(visibilityWords(2, 'link')).toBe('2 images are open to anyone with the link now.')
  expect(visibilityWords(2, 'public')).toBe('2 images are public now.')
})
