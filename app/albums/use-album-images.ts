'use client'

import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { AlbumItem, ImageItem } from '#app/connection/trpc.ts'
import { useTRPCClient } from '#app/connection/trpc.ts'
import type { ImageList } from '#app/gallery/list-cache.ts'
import { reordered } from './reordered.ts'

const PAGE = 100

const key = ({ id, order }: Pick<AlbumItem, 'id' | 'order'>) => ['album-images', id, order] as const

/** The query for an album's images in its own order. */
export function useAlbumImageOptions(album: Pick<AlbumItem, 'id' | 'order'>) {
  const client = useTRPCClient()
  return infiniteQueryOptions({
    queryKey: key(album),
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      client.album.images.query(
        { id: album.id, limit: PAGE, ...(pageParam !== null && { cursor: pageParam }) },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

/** Returns the loaded images, each once: one that has been moved may be in two pages. */
export function loadedImages(list: ImageList | undefined): readonly ImageItem[] {
  const items = list?.pages.flatMap((page) => page.items) ?? []
  return [...new Map(items.map((item) => [item.id, item])).values()]
}

/** Changes the loaded images before the server has answered. */
export function useAlbumImageCache(album: Pick<AlbumItem, 'id' | 'order'>) {
  const queryClient = useQueryClient()
  const { id, order } = album
  return useMemo(() => {
    const change = (by: (items: readonly ImageItem[]) => readonly ImageItem[]) =>
      queryClient.setQueryData<ImageList>(key({ id, order }), (list) => {
        if (!list) return list
        const items = by(loadedImages(list))
        const [last] = list.pages.slice(-1)
        // One long page: only the last cursor is still of use.
        const pages = [{ items: [...items], nextCursor: last?.nextCursor ?? null }]
        return { pages, pageParams: [null] }
      })
    return {
      remove: (ids: ReadonlySet<string>) => change((items) => items.filter((item) => !ids.has(item.id))),
      move: (ids: ReadonlySet<string>, target: string, isBefore: boolean) =>
        change((items) => reordered(items, ids, target, isBefore)),
    }
  }, [queryClient, id, order])
}
