'use client'

import { useMemo } from 'react'
import { type AlbumItem, type ImageItem, useTRPCClient } from '#app/connection/trpc.ts'
import { patient, type Source } from '#app/gallery/selecting/list-source.ts'
import { AT_ONCE } from '#app/gallery/selecting/many.ts'
import { pagesFrom } from '#app/gallery/selecting/rest-of-list.ts'

/** An album as a selection sees it. `cursor` is where what is not loaded begins. */
export function useAlbumSource(
  { id }: Pick<AlbumItem, 'id'>,
  items: readonly ImageItem[],
  cursor: string | null,
): Source {
  const client = useTRPCClient()
  return useMemo(
    () => ({
      key: `album ${id}`,
      between: (from, to) => items.slice(from, to + 1),
      findMissing(_, to) {
        if (to < items.length || cursor === null) return null
        return (signal) =>
          pagesFrom(cursor, (next) =>
            client.album.images.query({ id, limit: AT_ONCE, cursor: next }, { signal, context: patient }),
          )
      },
    }),
    [client, cursor, id, items],
  )
}
