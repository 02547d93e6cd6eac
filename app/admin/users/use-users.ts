'use client'

import { type InfiniteData, infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Outputs, type UserItem, useTRPCClient } from '#app/connection/trpc.ts'
import type { UserFilter } from './user-filter.ts'

type UserList = InfiniteData<Outputs['user']['list'], string | null>

const pageSize = 50

/** Query options for the accounts that match a filter, page by page. */
export function useUserListOptions(filter: UserFilter) {
  const client = useTRPCClient()
  return infiniteQueryOptions({
    queryKey: ['users', filter],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      client.user.list.query(
        { limit: pageSize, ...filter, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: (previous: UserList | undefined) => previous,
  })
}

/** Changes loaded accounts in the cache without loading all of them again. */
export function useUserCache() {
  const queryClient = useQueryClient()
  return useMemo(() => {
    const change = (by: (items: UserItem[]) => UserItem[]) =>
      queryClient.setQueriesData<UserList>(
        { queryKey: ['users'] },
        (list) => list && { ...list, pages: list.pages.map((page) => ({ ...page, items: by(page.items) })) },
      )
    return {
      replace: (user: UserItem) => change((items) => items.map((item) => (item.id === user.id ? user : item))),
      remove: (id: string) => change((items) => items.filter((item) => item.id !== id)),
      refresh: () => queryClient.invalidateQueries({ queryKey: ['users'] }),
    }
  }, [queryClient])
}
