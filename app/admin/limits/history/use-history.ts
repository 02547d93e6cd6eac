'use client'

import { infiniteQueryOptions } from '@tanstack/react-query'
import { useTRPCClient } from '#app/connection/trpc.ts'

export const historyKey = (ruleSet?: string) =>
  ruleSet === undefined ? ['limits-history'] : ['limits-history', ruleSet]

/** The changes of a rule set, or of all if `ruleSet` is empty, newest first in pages. */
export function useHistoryOptions(ruleSet: string) {
  const client = useTRPCClient()
  return infiniteQueryOptions({
    queryKey: historyKey(ruleSet),
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      client.limits.history.query(
        { ...(ruleSet && { ruleSet }), ...(pageParam !== null && { cursor: pageParam }) },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}
