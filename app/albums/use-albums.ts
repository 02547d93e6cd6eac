'use client'

import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type AlbumItem, useTRPCClient } from '#app/connection/trpc.ts'

export type AlbumScope = 'mine' | 'gallery' | 'all'

const PAGE = 30

/** The query for a list of albums, those changed last first. */
export function useAlbumListOptions(scope: AlbumScope, text = '') {
  const client = useTRPCClient()
  return infiniteQueryOptions({
    queryKey: ['albums', scope, text],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      client.album.list.query(
        { scope, limit: PAGE, ...(text !== '' && { text }), ...(pageParam !== null && { cursor: pageParam }) },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

export const albumKey = (id: string) => ['album', id] as const

/** Updates what pages show of albums after a change. */
export function useAlbumCache() {
  const queryClient = useQueryClient()
  return useMemo(
    () => ({
      /** Shows an album as it is now, and loads the lists again when they are next seen. */
      put(album: AlbumItem) {
        queryClient.setQueryData(albumKey(album.id), album)
        void queryClient.invalidateQueries({ queryKey: ['albums'] })
      },
      /** Loads what covers and counts show again, for example after the first image has changed. */
      async expireFacts(id: string) {
        await Promise.all([queryClient.invalidateQueries({ queryKey: albumKey(id) }), this.expireLists()])
      },
      expireLists: () => queryClient.invalidateQueries({ queryKey: ['albums'] }),
      /** Loads an album, its images and the lists again. */
      async expire(id: string) {
        await Promise.all([
          queryClient.invalidateQueries({ queryKey: albumKey(id) }),
          queryClient.invalidateQueries({ queryKey: ['album-images', id] }),
          queryClient.invalidateQueries({ queryKey: ['albums'] }),
        ])
      },
    }),
    [queryClient],
  )
}
