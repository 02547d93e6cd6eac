import type { QueryClient } from '@tanstack/react-query'
import type { ImageItem } from '#app/connection/trpc.ts'
import type { ListPlace } from '../list-place.ts'
import { clampRatio } from '../tile-shape.ts'
import type { Loaded } from './strip.ts'
import { type DateKind, dateFor, monthFor, type Timeline, withoutPositions, withPosition } from './timeline.ts'

/** image.list answers no more at once. */
const MOST_OF_PART = 100

/** Parts that are kept although they are far from the window: 3,000 images, whatever has been scrolled past. */
const KEPT_PARTS = 30

export const timelineKey = (place?: ListPlace) => (place ? ['timeline', place] : ['timeline'])
export const partKey = ({ place, version }: Pick<Timeline, 'place' | 'version'>, cursor: string | null) =>
  ['part', place, version, cursor] as const

export const readPart = (client: QueryClient, timeline: Timeline, cursor: string | null) =>
  client.getQueryData<readonly ImageItem[]>(partKey(timeline, cursor))

/** Returns the parts of a timeline that are loaded. */
export function loadedParts(client: QueryClient, { place, version }: Timeline): Loaded {
  const loaded = new Map<string | null, readonly ImageItem[]>()
  for (const [key, items] of client.getQueriesData<readonly ImageItem[]>({ queryKey: ['part', place, version] }))
    if (items) loaded.set(typeof key[3] === 'string' ? key[3] : null, items)
  return loaded
}

/** Forgets the parts that were loaded first, except those in use. */
export function forgetParts(client: QueryClient): void {
  const idle = client.getQueryCache().findAll({ queryKey: ['part'], type: 'inactive' })
  const oldest = idle.sort((one, other) => one.state.dataUpdatedAt - other.state.dataUpdatedAt)
  for (const query of oldest.slice(0, -KEPT_PARTS)) client.getQueryCache().remove(query)
}

/** Returns every timeline that is loaded. */
export const knownTimelines = (client: QueryClient): readonly Timeline[] =>
  client.getQueriesData<Timeline>({ queryKey: timelineKey() }).flatMap(([, timeline]) => timeline ?? [])

/** Removes images from a timeline. Returns false if some of `ids` are not loaded, so that it is not known whether they were in it. */
export function removeFrom(client: QueryClient, timeline: Timeline, ids: ReadonlySet<string>): boolean {
  let { months } = timeline
  let found = 0
  for (const [cursor, items] of loadedParts(client, timeline)) {
    const gone = new Set(items.flatMap(({ id }, at) => (ids.has(id) ? [at] : [])))
    if (gone.size === 0) continue
    found += gone.size
    months = withoutPositions(months, cursor, gone)
    client.setQueryData(
      partKey(timeline, cursor),
      items.filter((_, at) => !gone.has(at)),
    )
  }
  if (found > 0) client.setQueryData<Timeline>(timelineKey(timeline.place), { ...timeline, months })
  return found === ids.size
}

/** Replaces an image where it is loaded. Returns whether it is. */
export function replaceIn(client: QueryClient, timeline: Timeline, image: ImageItem): boolean {
  let isFound = false
  for (const [cursor, items] of loadedParts(client, timeline)) {
    if (!items.some(({ id }) => id === image.id)) continue
    isFound = true
    client.setQueryData(
      partKey(timeline, cursor),
      items.map((item) => (item.id === image.id ? image : item)),
    )
  }
  return isFound
}

/** Inserts an image by its date, or replaces it. Returns false if its place is not known, because it is not loaded. */
export function insertInto(client: QueryClient, place: ListPlace, image: ImageItem): boolean {
  const timeline = client.getQueryData<Timeline>(timelineKey(place))
  const { sort = 'newest', by = 'uploaded', query } = place
  if (!timeline) return true
  if (replaceIn(client, timeline, image)) return true
  if (query || (sort !== 'newest' && sort !== 'oldest')) return false
  const month = timeline.months.find((each) => each.month === monthFor(image, by, 'local'))
  for (const { cursor, ratios } of month?.parts ?? []) {
    const items = readPart(client, timeline, cursor)
    if (!items || ratios.length >= MOST_OF_PART) return false
    const at = items.findIndex((item) => isBefore(image, item, by) === (sort === 'newest'))
    if (at < 0 && cursor !== month?.parts.at(-1)?.cursor) continue
    const position = at < 0 ? items.length : at
    const months = withPosition(timeline.months, cursor, position, clampRatio(image))
    client.setQueryData(partKey(timeline, cursor), items.toSpliced(position, 0, image))
    client.setQueryData<Timeline>(timelineKey(place), { ...timeline, months })
    return true
  }
  return false
}

/** Whether one image is newer than another. */
function isBefore(one: ImageItem, other: ImageItem, by: DateKind): boolean {
  const [date, than] = [dateFor(one, by), dateFor(other, by)]
  return date === than ? one.id > other.id : date > than
}
