import { expect, test } from 'vitest'
import type { ImageItem } from '#app/connection/trpc.ts'
import { isInPlace, leftOf, lineOf } from './many.ts'

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
  expect(left.map(lineOf)).toEqual([
    'title of b: not yours',
    'title of c: more than you may moderate for now',
    'Private image of ada: not there any more',
  ])
  expect(left.map(isInPlace)).toEqual([true, true, false])
})
