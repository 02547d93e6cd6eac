import { expect, test } from 'vitest'
import type { ImageItem } from '#app/connection/trpc.ts'
import { listSelected, NOTHING, type Selected, withBeyond, withLoaded, withToggled } from './selected.ts'

const makeImage = (id: string): ImageItem => ({
  ...{ id, title: id, slug: null, url: null, thumbnailUrl: null, variants: null, placeholder: null },
  ...{ width: 1, height: 1, size: 1, mime: 'image/png', frames: 1, sha256: null, filename: null },
  ...{ visibility: 'private', createdAt: '', trashedAt: null, purgeAt: null, mine: true },
  owner: { id: 'o', name: null, picture: null, username: 'ada' },
})

const [a, b, c, d] = [makeImage('a'), makeImage('b'), makeImage('c'), makeImage('d')]
const listIds = (loaded: readonly ImageItem[], selected: Selected) => listSelected(loaded, selected).map(({ id }) => id)

test('selects loaded images and images beyond the list together, each once', () => {
  const all = withBeyond(withLoaded(NOTHING, [a, b]), [c, d])
  expect(listIds([a, b], all)).toEqual(['a', 'b', 'c', 'd'])
  expect(listIds([a, b, c], all)).toEqual(['a', 'b', 'c', 'd'])
  expect(listIds([a, b], withBeyond(all, [b]))).toEqual(['a', 'b', 'c', 'd'])
})

test('drops loaded images that have left the list, and keeps those from beyond it', () => {
  const all = withBeyond(withLoaded(NOTHING, [a, b]), [c])
  expect(listIds([b], all)).toEqual(['b', 'c'])
  expect(listSelected([a, b], NOTHING)).toEqual([])
})

test('toggles an image, loaded or not', () => {
  const all = withBeyond(withLoaded(NOTHING, [a]), [b])
  expect(listIds([a, b, c], withToggled(all, b))).toEqual(['a'])
  expect(listIds([a, b, c], withToggled(all, c))).toEqual(['a', 'b', 'c'])
  expect(listIds([a, b, c], withToggled(withToggled(all, a), a))).toEqual(['a', 'b'])
})
