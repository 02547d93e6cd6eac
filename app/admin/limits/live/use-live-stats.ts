'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSubscription } from '@trpc/tanstack-react-query'
import { useEffect, useState } from 'react'
import { useTRPC } from '#app/connection/trpc.ts'
import { isSignedOut } from '#app/limits/message.ts'
import { useIsVisible } from './use-is-visible.ts'

/** `polling`: the stream cannot be had, so the figures are asked for every few seconds. */
export type LiveState = 'live' | 'connecting' | 'reconnecting' | 'polling' | 'paused' | 'signedOut'

const POLL_MS = 3000
const STREAM_AGAIN_MS = 15_000
/** A stream that says nothing for so long is taken for broken: a line that is cut tells nobody. */
const SILENT_MS = 5000

/** The limiter's figures, each second while the page is looked at. The stream writes over what polling asks for. */
export function useLiveStats() {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const isVisible = useIsVisible()
  const [heardAt, setHeardAt] = useState(0)
  const { status, reset } = useSubscription(
    trpc.limits.live.subscriptionOptions(undefined, {
      enabled: isVisible,
      onData: (stats) => {
        queryClient.setQueryData(trpc.limits.stats.queryKey(), stats)
        setHeardAt(stats.at)
      },
    }),
  )
  const isSilent = useSilence(status === 'pending', heardAt)
  const isStreaming = status === 'pending' && !isSilent
  const query = useQuery(
    trpc.limits.stats.queryOptions(undefined, {
      enabled: isVisible && !isStreaming,
      refetchInterval: POLL_MS,
      staleTime: 0,
    }),
  )
  // Idle is a stream that the server has ended, as it does when a session is over.
  useEffect(() => {
    if (!isVisible || !(status === 'error' || status === 'idle' || isSilent)) return
    const timer = setTimeout(reset, STREAM_AGAIN_MS)
    return () => clearTimeout(timer)
  }, [isVisible, status, isSilent, reset])
  const isLost = useSilence(isVisible && query.isSuccess, query.dataUpdatedAt)
  return { query, stats: query.data, state: stateOf({ isVisible, isStreaming, isLost, query }) }
}

/** Whether what should speak each second, and last did at `heardAt`, has fallen silent. */
function useSilence(isOpen: boolean, heardAt: number): boolean {
  const [silentSince, setSilentSince] = useState<number | null>(null)
  useEffect(() => {
    if (!isOpen) return
    const timer = setTimeout(() => setSilentSince(heardAt), SILENT_MS)
    return () => clearTimeout(timer)
  }, [isOpen, heardAt])
  return isOpen && silentSince === heardAt
}

interface Standing {
  readonly isVisible: boolean
  readonly isStreaming: boolean
  /** Neither the stream nor an answer came for a while. */
  readonly isLost: boolean
  readonly query: {
    readonly isSuccess: boolean
    readonly isPaused: boolean
    readonly failureCount: number
    readonly error: unknown
  }
}

/** What the sign beside the title says. */
export function stateOf({ isVisible, isStreaming, isLost, query }: Standing): LiveState {
  if (!isVisible) return 'paused'
  if (isStreaming) return 'live'
  if (isSignedOut(query.error)) return 'signedOut'
  if (isLost || query.isPaused || query.failureCount > 0) return 'reconnecting'
  return query.isSuccess ? 'polling' : 'connecting'
}
