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

/** The query for the images of a place, newest first, page by page. */
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

/** Updates the loaded lists after a change, without loading them again. */
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
      /** Removes images from every list. */
      remove: (ids: readonly string[]) => change(listKey(), (list) => withoutImages(list, new Set(ids))),
      replace: (image: ImageItem) => change(listKey(), (list) => withChangedImage(list, image)),
      /** Adds images to the lists that they belong to. */
      add(images: readonly ImageItem[]) {
        for (const key of places()) {
          const fitting = images.filter((image) => belongs(image, key))
          if (fitting.length > 0) change(key, (list) => fitting.reduce(withImage, list))
        }
      },
      /** Marks the lists of the trash, or all others, as out of date. */
      expire: (trash: boolean) =>
        queryClient.invalidateQueries({ queryKey: listKey(), predicate: ({ queryKey }) => queryKey[2] === trash }),
      /** Adds uploaded images: one call for the newest, and one for each that existed before. */
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
