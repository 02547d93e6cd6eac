'use client'

import { infiniteQueryOptions, keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { type Outputs, useTRPC, useTRPCClient } from '#app/connection/trpc.ts'

export type TagItem = Outputs['tag']['list']['items'][number]

const listKey = ['tags']

/** The query for the tags with a text in their names, page by page. */
export function useTagListOptions(text: string) {
  const client = useTRPCClient()
  return infiniteQueryOptions({
    queryKey: [...listKey, text],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      client.tag.list.query({ text, limit: 100, ...(pageParam === null ? {} : { cursor: pageParam }) }, { signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  })
}

/** Loads what shows tags again after a change of one. */
export function useTagRefresh(): () => Promise<void> {
  const queryClient = useQueryClient()
  const trpc = useTRPC()
  return async () => {
    const keys = [listKey, trpc.tag.list.queryKey()]
    await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
    // Lists of images show the tags of each.
    queryClient.removeQueries({ queryKey: ['images'] })
  }
}
