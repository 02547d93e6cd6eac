'use client'

import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type ImageItem, useTRPCClient } from '#app/connection/trpc.ts'
import { type ImageList, withChangedImage, withImage, withoutImages } from './list-cache.ts'

export type ListScope = 'mine' | 'all' | 'gallery'
export interface ListPlace {
  readonly scope: ListScope
  readonly trash: boolean
}

const pageSize = 40
const listKey = (place?: ListPlace) => (place ? ['images', place.scope, place.trash] : ['images'])

/** The images of a place, newest first, page by page. */
export function useImageListOptions(place: ListPlace) {
  const client = useTRPCClient()
  return infiniteQueryOptions({
    queryKey: listKey(place),
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      client.image.list.query(
        { ...place, limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

/** Changes to the loaded lists, so that they show what happened without asking for everything again. */
export function useListCache() {
  const queryClient = useQueryClient()
  const client = useTRPCClient()
  return useMemo(() => {
    const change = (key: readonly unknown[], by: (list: ImageList) => ImageList) =>
      queryClient.setQueriesData<ImageList>({ queryKey: key }, (list) => list && by(list))
    const places = () =>
      queryClient
        .getQueryCache()
        .findAll({ queryKey: listKey() })
        .map(({ queryKey }) => queryKey)
    return {
      /** Takes images out of every list; what is asked for again later finds them where they now are. */
      remove: (ids: readonly string[]) => change(listKey(), (list) => withoutImages(list, new Set(ids))),
      replace: (image: ImageItem) => change(listKey(), (list) => withChangedImage(list, image)),
      /** Puts images back into the lists in which they would be found. */
      add(images: readonly ImageItem[]) {
        for (const key of places()) {
          const fitting = images.filter((image) => belongs(image, key))
          if (fitting.length > 0) change(key, (list) => fitting.reduce(withImage, list))
        }
      },
      /** Marks the trash, or the rest, as out of date. */
      expire: (trash: boolean) =>
        queryClient.invalidateQueries({ queryKey: listKey(), predicate: ({ queryKey }) => queryKey[2] === trash }),
      /** Brings uploaded images in: one call for the newest, one more for each that was there before. */
      async fetchUploaded(ids: readonly string[]) {
        const { items } = await client.image.list.query({ scope: 'mine', limit: pageSize })
        const older = ids.filter((id) => !items.some((item) => item.id === id))
        this.add([...items, ...(await Promise.all(older.map((id) => client.image.get.query({ id }))))])
      },
    }
  }, [queryClient, client])
}

function belongs(image: ImageItem, [, scope, trash]: readonly unknown[]): boolean {
  if ((image.trashedAt !== null) !== trash) return false
  if (scope === 'mine') return image.mine
  return scope === 'gallery' ? image.visibility === 'public' : true
}
