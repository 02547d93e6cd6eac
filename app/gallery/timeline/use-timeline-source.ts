'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { useTRPCClient } from '#app/connection/trpc.ts'
import type { ListPlace } from '../list-place.ts'
import { patient, type Source } from '../selecting/list-source.ts'
import { type PlacedPart, partsWithin, placeParts } from './strip.ts'
import type { Timeline } from './timeline.ts'
import { readPart } from './timeline-cache.ts'
import type { useTimeline } from './use-timeline.ts'

/** A timeline as a selection sees it: most of its images are not loaded. Until its months are known, it has the first page. */
export function useTimelineSource(
  place: ListPlace,
  { timeline, shown, load }: Pick<ReturnType<typeof useTimeline>, 'timeline' | 'shown' | 'load'>,
): Source {
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  const parts = useMemo(() => placeParts(shown.months), [shown.months])
  const read = (cursor: string | null) =>
    timeline ? readPart(queryClient, timeline, cursor) : shown.loaded.get(cursor)
  const slice = (items: readonly ImageItem[], { first }: PlacedPart, from: number, to: number) =>
    items.slice(Math.max(0, from - first), to - first + 1)

  async function* find(known: Timeline, wanted: readonly PlacedPart[], from: number, to: number, signal: AbortSignal) {
    for (const part of wanted) {
      const { cursor, count } = part
      const asked = { ...place, limit: count, ...(cursor !== null && { cursor }) }
      const items =
        readPart(queryClient, known, cursor) ??
        (await client.image.list.query(asked, { signal, context: patient })).items
      yield slice(items, part, from, to)
    }
  }
  return {
    key: JSON.stringify(place),
    between: (from, to) =>
      partsWithin(parts, from, to).flatMap((part) => slice(read(part.cursor) ?? [], part, from, to)),
    findMissing(from, to) {
      if (!timeline)
        return async function* findLater(signal) {
          const known = await load()
          yield* find(known, partsWithin(placeParts(known.months), from, to), from, to, signal)
        }
      const missing = partsWithin(parts, from, to).filter(({ cursor }) => !read(cursor))
      return missing.length === 0 ? null : (signal) => find(timeline, missing, from, to, signal)
    },
  }
}
