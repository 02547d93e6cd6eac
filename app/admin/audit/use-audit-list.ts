'use client'

import { infiniteQueryOptions } from '@tanstack/react-query'
import { useTRPCClient } from '#app/connection/trpc.ts'
import { type ShownFilter, toAuditInput } from './shown-filter.ts'

/** New entries appear this often while only the first page is shown: a longer list would be read again as a whole. */
const POLL_MS = 5_000

/** The entries that a filter finds, newest first in pages. */
export function useAuditListOptions(filter: ShownFilter) {
  const client = useTRPCClient()
  return infiniteQueryOptions({
    queryKey: ['audit', filter],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      client.audit.list.query(
        { ...toAuditInput(filter, Date.now()), ...(pageParam !== null && { cursor: pageParam }) },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: (query) => (query.state.data && query.state.data.pages.length > 1 ? false : POLL_MS),
  })
}
