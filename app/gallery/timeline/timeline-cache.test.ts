import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { imageItem } from '#testing/images/image-item.ts'
import { toMonth } from './strip.ts'
import type { Timeline } from './timeline.ts'
import {
  forgetParts,
  insertInto,
  knownTimelines,
  loadedParts,
  partKey,
  removeFrom,
  replaceIn,
  timelineKey,
} from './timeline-cache.ts'

const place = { scope: 'mine', trash: false } as const
const at = (id: string, day: number, values = {}) =>
  imageItem(id, { createdAt: `2026-03-${String(day).padStart(2, '0')}T12:00:00.000Z`, ...values })

/** March has a part that is loaded and one that is not. */
function scene() {
  const client = new QueryClient()
  const timeline: Timeline = {
    ...{ place, version: 1 },
    months: [
      toMonth('2026-03', [
        { cursor: null, ratios: [4 / 3, 4 / 3] },
        { cursor: 'x', ratios: [1] },
      ]),
    ],
  }
  client.setQueryData(timelineKey(place), timeline)
  client.setQueryData(partKey(timeline, null), [at('d', 20), at('b', 10)])
  const now = () => knownTimelines(client)[0] ?? timeline
  return {
    client,
    now,
    ids: () =>
      loadedParts(client, now())
        .get(null)
        ?.map(({ id }) => id),
    counts: () => now().months.flatMap(({ parts }) => parts.map(({ ratios }) => ratios.length)),
  }
}

test('a new image is inserted by its date', () => {
  const { client, ids, counts } = scene()
  expect(insertInto(client, place, at('e', 21))).toBe(true)
  expect(insertInto(client, place, at('c', 15))).toBe(true)
  expect(ids()).toEqual(['e', 'd', 'c', 'b'])
  expect(counts()).toEqual([4, 1])
})

test('an image that is there is replaced', () => {
  const { client, now, ids, counts } = scene()
  expect(insertInto(client, place, at('b', 10, { title: 'Weir' }))).toBe(true)
  expect(loadedParts(client, now()).get(null)?.[1]?.title).toBe('Weir')
  expect([ids(), counts()]).toEqual([
    ['d', 'b'],
    [2, 1],
  ])
  expect(replaceIn(client, now(), at('z', 1))).toBe(false)
})

test.each([
  ['beyond what is loaded', at('a', 1)],
  ['of another month', imageItem('f', { createdAt: '2026-04-20T12:00:00.000Z' })],
])('where an image %s belongs is not known', (_, image) => {
  const { client, counts } = scene()
  expect(insertInto(client, place, image)).toBe(false)
  expect(counts()).toEqual([2, 1])
})

test('removes images that are loaded, and tells whether all were', () => {
  const { client, now, ids, counts } = scene()
  expect(removeFrom(client, now(), new Set(['d']))).toBe(true)
  expect(ids()).toEqual(['b'])
  expect(counts()).toEqual([1, 1])
  expect(removeFrom(client, now(), new Set(['b', 'a']))).toBe(false)
  expect(counts()).toEqual([1])
})

test('forgets the parts that were loaded first, and keeps thirty', () => {
  const { client } = scene()
  for (let part = 0; part < 40; part += 1)
    client.setQueryData(partKey({ place, version: 2 }, `c${part}`), [], { updatedAt: 1000 + part })
  client.setQueryData(partKey({ place, version: 2 }, 'new'), [], { updatedAt: Date.now() + 1000 })
  forgetParts(client)
  const kept = client.getQueryCache().findAll({ queryKey: ['part'] })
  expect(kept).toHaveLength(30)
  expect(kept.some(({ queryKey }) => queryKey[3] === 'new')).toBe(true)
  expect(kept.some(({ queryKey }) => queryKey[3] === 'c0')).toBe(false)
})
