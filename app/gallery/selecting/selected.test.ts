import { expect, test } from 'vitest'
import type { ImageItem } from '#app/connection/trpc.ts'
import { NOTHING, type Selected, selectedOf, withBeyond, withLoaded, withToggled } from './selected.ts'

const imageOf = (id: string): ImageItem => ({
  ...{ id, title: id, slug: null, url: null, thumbnailUrl: null, variants: null, placeholder: null },
  ...{ width: 1, height: 1, size: 1, mime: 'image/png', frames: 1, sha256: null, filename: null },
  ...{ visibility: 'private', createdAt: '', trashedAt: null, purgeAt: null, mine: true },
  owner: { id: 'o', username: 'ada' },
})

const [a, b, c, d] = [imageOf('a'), imageOf('b'), imageOf('c'), imageOf('d')]
const idsOf = (loaded: readonly ImageItem[], selected: Selected) => selectedOf(loaded, selected).map(({ id }) => id)

test('selects loaded images and images beyond the list together, each once', () => {
  const all = withBeyond(withLoaded(NOTHING, [a, b]), [c, d])
  expect(idsOf([a, b], all)).toEqual(['a', 'b', 'c', 'd'])
  expect(idsOf([a, b, c], all)).toEqual(['a', 'b', 'c', 'd'])
  expect(idsOf([a, b], withBeyond(all, [b]))).toEqual(['a', 'b', 'c', 'd'])
})

test('drops loaded images that have left the list, and keeps those from beyond it', () => {
  const all = withBeyond(withLoaded(NOTHING, [a, b]), [c])
  expect(idsOf([b], all)).toEqual(['b', 'c'])
  expect(selectedOf([a, b], NOTHING)).toEqual([])
})

test('toggles an image, loaded or not', () => {
  const all = withBeyond(withLoaded(NOTHING, [a]), [b])
  expect(idsOf([a, b, c], withToggled(all, b))).toEqual(['a'])
  expect(idsOf([a, b, c], withToggled(all, c))).toEqual(['a', 'b', 'c'])
  expect(idsOf([a, b, c], withToggled(withToggled(all, a), a))).toEqual(['a', 'b'])
})
