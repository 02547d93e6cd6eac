import { infiniteQueryOptions } from '@tanstack/react-query'
import { useTRPCClient } from '#app/connection/trpc.ts'

/** Every list of shares. */
export const SHARES = ['shares'] as const

/** Query options for the viewer's shares, or for everyone's, page by page. */
export function useSharesOptions(scope: 'mine' | 'all') {
  const client = useTRPCClient()
  return infiniteQueryOptions({
    queryKey: [...SHARES, scope],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      client.share.list.query({ scope, ...(pageParam === null ? {} : { cursor: pageParam }) }, { signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}
