'use client'

import { useMemo } from 'react'
import { type ImageItem, useTRPCClient } from '#app/connection/trpc.ts'
import { type ImageList, listItems } from '../list-cache.ts'
import type { ListPlace } from '../list-place.ts'
import { AT_ONCE } from './many.ts'
import { pagesFrom } from './rest-of-list.ts'
import type { Finder } from './use-gathering.ts'

/** A list as a selection sees it. */
export interface Source {
  /** What tells lists apart. */
  readonly key: string
  /** Returns the loaded images from one index to another, in order. */
  readonly between: (from: number, to: number) => readonly ImageItem[]
  /** Returns what finds those that are not loaded; null if all are. */
  readonly findMissing: (from: number, to: number) => Finder | null
}

/** The longest wait for a limit per page. */
export const patient = { limit: { waitUpToMs: 60_000 } }

/** A list that is loaded page by page. */
export function useListSource(place: ListPlace, list: ImageList | undefined): Source {
  const client = useTRPCClient()
  return useMemo(() => {
    const items = listItems(list)
    return {
      key: JSON.stringify(place),
      between: (from, to) => items.slice(from, to + 1),
      findMissing(_, to) {
        const cursor = to < items.length ? null : list?.pages.at(-1)?.nextCursor
        if (cursor === null) return null
        return (signal) =>
          pagesFrom(cursor, (next) =>
            client.image.list.query(
              { ...place, limit: AT_ONCE, ...(next !== undefined && { cursor: next }) },
              { signal, context: patient },
            ),
          )
      },
    }
  }, [client, list, place])
}
