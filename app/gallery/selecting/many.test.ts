import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import type { ImageItem } from '#app/connection/trpc.ts'
import { gallery } from '#messages/en/gallery.ts'
import { describeSkipped, findSkipped, isInPlace } from './many.ts'

const t = createTranslator({ locale: 'en', messages: { gallery }, namespace: 'gallery' })

const imageWith = (id: string, title: string | null): ImageItem => ({
  ...{
    id,
    title,
    slug: null,
    url: null,
    thumbnailUrl: null,
    variants: null,
    variantsAwaited: false,
    placeholder: null,
  },
  ...{ width: 1, height: 1, size: 1, mime: 'image/png', frames: 1, sha256: null, filename: null },
  ...{ description: '', tags: [], favourite: false, takenAt: null, camera: null },
  ...{ visibility: 'private', createdAt: '', trashedAt: null, purgeAt: null, mine: false },
  owner: { id: 'o', name: null, picture: null, username: 'ada' },
})

test('lists up to five skipped images in their order, each with the reason', () => {
  const images = ['a', 'b', 'c', 'd', 'e'].map((id) => imageWith(id, id === 'e' ? null : `title of ${id}`))
  const skipped = findSkipped(images, [
    { id: 'e', outcome: 'not-found' },
    { id: 'a', outcome: 'done', image: null },
    { id: 'c', outcome: 'limited' },
    { id: 'b', outcome: 'forbidden' },
  ])
  expect(describeSkipped(skipped, t)).toEqual([
    'title of b: no permission',
    'title of c: moderation limit reached',
    'Private image by ada: not found',
  ])
  expect(skipped.map(isInPlace)).toEqual([true, true, false])
})

test('counts more than five skipped images by reason', () => {
  const images = Array.from({ length: 6 }, (_, at) => imageWith(`${at}`, `title ${at}`))
  const items = images.map(({ id }, at) => ({ id, outcome: at === 2 ? ('forbidden' as const) : ('limited' as const) }))
  const skipped = findSkipped(images, items)
  expect(describeSkipped(skipped, t)).toEqual(['5 images: moderation limit reached', '1 image: no permission'])
  expect(describeSkipped(skipped.slice(1), t)).toHaveLength(5)
})
