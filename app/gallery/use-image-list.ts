'use client'

import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type ImageItem, useTRPCClient } from '#app/connection/trpc.ts'
import { type ImageList, withChangedImage, withImage, withoutImages } from './list-cache.ts'
import { listChanges } from './list-changes.ts'
import type { ListPlace } from './list-place.ts'
import { insertInto, knownTimelines, removeFrom, replaceIn, timelineKey } from './timeline/timeline-cache.ts'

const pageSize = 40
const listKey = (place?: ListPlace) => (place ? ['images', place] : ['images'])

/** The query for the images of a place, page by page. */
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

/** Updates the loaded lists after a change, without loading them again where that can be avoided. */
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
        .flatMap(({ queryKey: [, place] }) => (isPlace(place) ? place : []))
    /** Loads the months of a timeline again. What is shown stays until then. */
    const expireTimeline = (place: ListPlace) => queryClient.invalidateQueries({ queryKey: timelineKey(place) })
    /** Removes images from every list, where they are loaded. Returns the timelines that may hold others of them. */
    const hide = (images: readonly ImageItem[]): readonly ListPlace[] => {
      const ids = new Set(images.map(({ id }) => id))
      change(listKey(), (list) => withoutImages(list, ids))
      listChanges.announce({ removed: [...ids] })
      if (images.every(({ trashedAt }) => trashedAt !== null)) return []
      return knownTimelines(queryClient).flatMap((known) => (removeFrom(queryClient, known, ids) ? [] : known.place))
    }
    return {
      /** Removes images where they are loaded, until it is known that they are gone. */
      hide: (images: readonly ImageItem[]) => void hide(images),
      /** Removes images that are gone from every list. Those that are not loaded may have been hidden before. */
      remove(images: readonly ImageItem[]) {
        for (const place of hide(images)) void expireTimeline(place)
      },
      /** Replaces an image that was changed. It leaves the lists that it no longer belongs to. */
      replace(image: ImageItem) {
        for (const place of places())
          change(listKey(place), (list) =>
            belongs(image, place) ? withChangedImage(list, image) : withoutImages(list, new Set([image.id])),
          )
        for (const known of knownTimelines(queryClient)) {
          const isStill = belongs(image, known.place) && replaceIn(queryClient, known, image)
          if (!isStill && (known.place.query || known.place.scope === 'gallery')) void expireTimeline(known.place)
        }
        listChanges.announce({ changed: [image] })
      },
      /** Adds images to the lists that they belong to. */
      add(images: readonly ImageItem[]) {
        for (const place of places()) {
          const fitting = images.filter((image) => belongs(image, place))
          if (fitting.length === 0) continue
          if (place.query || place.sort) void queryClient.invalidateQueries({ queryKey: listKey(place) })
          else change(listKey(place), (list) => fitting.reduce(withImage, list))
        }
        for (const { place } of knownTimelines(queryClient)) {
          const fitting = images.filter((image) => belongs(image, place))
          if (!fitting.every((image) => insertInto(queryClient, place, image))) void expireTimeline(place)
        }
      },
      /** Marks the lists of the trash, or all others, as out of date. */
      expire(trash: boolean) {
        const lists = queryClient.invalidateQueries({
          queryKey: listKey(),
          predicate: ({ queryKey: [, place] }) => isPlace(place) && place.trash === trash,
        })
        const timelines = trash ? null : queryClient.invalidateQueries({ queryKey: timelineKey() })
        return Promise.all([lists, timelines])
      },
      /** Adds uploaded images: one call for the newest. Those that existed before may be anywhere. */
      async fetchUploaded(ids: readonly string[]) {
        const { items } = await client.image.list.query({ scope: 'mine', limit: pageSize })
        const uploaded = items.filter(({ id }) => ids.includes(id))
        this.add(uploaded)
        if (uploaded.length < ids.length) await this.expire(false)
      },
    }
  }, [queryClient, client])
}

const isPlace = (value: unknown): value is ListPlace => typeof value === 'object' && value !== null && 'scope' in value

function belongs(image: ImageItem, { scope, trash }: ListPlace): boolean {
  if ((image.trashedAt !== null) !== trash) return false
  if (scope === 'mine') return image.mine
  return scope === 'gallery' ? image.visibility === 'public' : true
}
