'use client'

import {
  type QueryClient,
  queryOptions,
  type UseQueryResult,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { type ImageItem, useTRPCClient } from '#app/connection/trpc.ts'
import type { ListPlace } from '../list-place.ts'
import type { Loaded, PlacedPart } from './strip.ts'
import { type FirstPage, firstMonths, fitsPart, joinFew, readMonths, type Timeline, withFirstPage } from './timeline.ts'
import { forgetParts, partKey, timelineKey } from './timeline-cache.ts'

/** A list that differs from months as new as this changes too fast to be followed. */
const FRESH_MS = 5000

let versions = 0

const NONE: Pick<Timeline, 'months'> & { loaded: Loaded } = { months: [], loaded: new Map() }

/** The query for the months of a list. */
export function useTimelineOptions(place: ListPlace, first: FirstPage | null) {
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  return queryOptions({
    queryKey: timelineKey(place),
    // A hundred thousand numbers are not compared one by one.
    structuralSharing: false,
    queryFn: async ({ signal }): Promise<Timeline> => {
      const { scope, query, sort, by } = place
      const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
      const order = sort === 'oldest' ? sort : 'newest'
      const answer = readMonths(
        await client.image.timeline.query({ scope, query, sort: order, by, timeZone }, { signal }),
      )
      versions += 1
      const { months, loaded } = first ? withFirstPage(answer, first) : { months: answer, loaded: NONE.loaded }
      const timeline = { place, version: versions, months }
      for (const [cursor, items] of loaded) queryClient.setQueryData(partKey(timeline, cursor), items)
      return timeline
    },
  })
}

/** The months of a list. Until they are known, those of the first page, if the server has rendered one. */
export function useTimeline(place: ListPlace, first: FirstPage | null) {
  const options = useTimelineOptions(place, first)
  const query = useQuery(options)
  const queryClient = useQueryClient()
  const load = () => queryClient.ensureQueryData(options)
  const [beginning] = useState(() => first && firstMonths(first, place.by ?? 'uploaded'))
  /** Loads the months again, unless they are new. */
  const refetchOnce = () => {
    if (!query.isFetching && Date.now() - query.dataUpdatedAt > FRESH_MS) void query.refetch()
  }
  // Where a first page is shown already, its images are placed among the months without holding up input.
  const deferred = useDeferredValue(query.data)
  const timeline = first && deferred === undefined ? undefined : query.data
  const months = useMemo(
    () => timeline && (place.query ? joinFew(timeline.months) : timeline.months),
    [timeline, place],
  )
  return { query, timeline, shown: { ...(beginning ?? NONE), ...(months && { months }) }, load, refetchOnce }
}

/** Loads parts of a timeline. Those loaded earlier are kept for a while. `onStale` is called when the list is not what its months
 *  said. */
export function useParts(timeline: Timeline | undefined, wanted: readonly PlacedPart[], onStale: () => void) {
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  const answers = useQueries({
    queries: (timeline ? wanted : []).map(({ cursor, count, ratios }) => ({
      queryKey: timeline ? partKey(timeline, cursor) : [],
      staleTime: Number.POSITIVE_INFINITY,
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const asked = { ...timeline?.place, limit: count, ...(cursor !== null && { cursor }) }
        return (await client.image.list.query(asked, { signal })).items
      },
      // Until it is loaded for a newer timeline, a part that has not changed is shown as it was.
      placeholderData: () => timeline && findEarlier(queryClient, timeline.place, cursor, ratios),
    })),
    combine,
  })
  const loaded = useMemo(
    (): Loaded =>
      new Map(wanted.flatMap(({ cursor }, at) => (answers[at]?.data && [[cursor, answers[at].data]]) || [])),
    [wanted, answers],
  )
  const isStale = wanted.some(({ ratios }, at) => {
    const { data, isPlaceholderData } = answers[at] ?? {}
    return data !== undefined && !isPlaceholderData && data.length !== ratios.length
  })
  const report = useEffectEvent(onStale)
  useEffect(() => {
    if (isStale) report()
  }, [isStale])
  useEffect(() => forgetParts(queryClient))
  const failing = answers.find(({ error, failureReason }) => error ?? failureReason)
  return { loaded, failing }
}

/** The same object until something of it changes. */
const combine = (answers: readonly UseQueryResult<readonly ImageItem[]>[]) =>
  answers.map(({ data, isPlaceholderData, error, failureReason, isFetching, refetch }) => ({
    ...{ data, isPlaceholderData, error, failureReason, isFetching, refetch },
  }))

function findEarlier(client: QueryClient, place: ListPlace, cursor: string | null, ratios: readonly number[]) {
  const earlier = client.getQueriesData<readonly ImageItem[]>({ queryKey: ['part', place] })
  return earlier.findLast(([key, items]) => key[3] === cursor && items && fitsPart(ratios, items))?.[1]
}
