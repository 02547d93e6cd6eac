'use client'

import { infiniteQueryOptions } from '@tanstack/react-query'
import { type Outputs, useTRPCClient } from '#app/connection/trpc.ts'

export type ReportItem = Outputs['report']['list']['items'][number]
export type ReportState = 'open' | 'closed'

/** Every list of reports. */
export const REPORTS = ['reports'] as const

/** New reports appear this often while only the first page is shown. */
const POLL_MS = 15_000

/** The reports that wait for a decision, or that have one, page by page. */
export function useReportsOptions(state: ReportState) {
  const client = useTRPCClient()
  return infiniteQueryOptions({
    queryKey: [...REPORTS, state],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      client.report.list.query({ state, ...(pageParam !== null && { cursor: pageParam }) }, { signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: (query) => (query.state.data && query.state.data.pages.length > 1 ? false : POLL_MS),
  })
}
