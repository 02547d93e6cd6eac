import { expect, test } from 'vitest'
import type { ImageItem } from '#app/connection/trpc.ts'
import { changesBack, countTags } from './tag-changes.ts'

const image = (id: string, ...tags: string[]): ImageItem => ({
  ...{
    id,
    tags,
    title: '',
    description: '',
    favourite: false,
    takenAt: null,
    camera: null,
    visibility: 'private',
    mine: true,
  },
  ...{ slug: null, url: null, thumbnailUrl: null, variants: null, variantsAwaited: false, placeholder: null },
  ...{ width: 1, height: 1, size: 1, mime: 'image/png', frames: 1, sha256: null, filename: null },
  ...{ createdAt: '', trashedAt: null, purgeAt: null, owner: { id: '', name: '', picture: null, username: null } },
})

test('images get back the tags that they had, those with the same change together', () => {
  const before = [image('a', 'sea'), image('b'), image('c', 'sun', 'sea'), image('d', 'sea')]
  const after = [image('a', 'sea', 'new'), image('b', 'new'), image('c', 'new'), image('d', 'sea')]
  expect(changesBack(before, after)).toEqual([
    { ids: ['a', 'b'], add: [], remove: ['new'] },
    { ids: ['c'], add: ['sun', 'sea'], remove: ['new'] },
  ])
})

test('an image that was changed twice gets back its first tags', () => {
  const before = [image('a', 'one'), image('a', 'one', 'two')]
  const after = [image('a', 'one', 'two'), image('a', 'two', 'three')]
  expect(changesBack(before, after)).toEqual([{ ids: ['a'], add: ['one'], remove: ['two', 'three'] }])
})

test('tags are listed by how many images have them', () => {
  expect(countTags([image('a', 'x', 'b'), image('b', 'x'), image('c', 'a')])).toEqual([
    { tag: 'x', count: 2 },
    { tag: 'a', count: 1 },
    { tag: 'b', count: 1 },
  ])
})
