'use client'

import { focusManager, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSubscription } from '@trpc/tanstack-react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { isSignedOut } from '#app/limits/message.ts'

/** `polling`: without the stream, the figures are requested every few seconds. */
export type LiveState = 'live' | 'connecting' | 'reconnecting' | 'polling' | 'paused' | 'signedOut'

const POLL_MS = 3000
const RESTART_MS = 15_000
/** A stream that is silent for longer counts as broken: a lost connection may end without an event. */
const SILENT_MS = 5000

/** The limiter's figures, each second while the page is visible. The stream replaces what polling received. */
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
  // The server has ended an idle stream, as it does when the session ends.
  useEffect(() => {
    if (!isVisible || !(status === 'error' || status === 'idle' || isSilent)) return
    const timer = setTimeout(reset, RESTART_MS)
    return () => clearTimeout(timer)
  }, [isVisible, status, isSilent, reset])
  const isLost = useSilence(isVisible && query.isSuccess, query.dataUpdatedAt)
  return { query, stats: query.data, state: chooseLiveState({ isVisible, isStreaming, isLost, query }) }
}

/** Whether nothing has arrived since `heardAt`, although something should each second. */
function useSilence(isOpen: boolean, heardAt: number): boolean {
  const [silentSince, setSilentSince] = useState<number | null>(null)
  useEffect(() => {
    if (!isOpen) return
    const timer = setTimeout(() => setSilentSince(heardAt), SILENT_MS)
    return () => clearTimeout(timer)
  }, [isOpen, heardAt])
  return isOpen && silentSince === heardAt
}

interface Connection {
  readonly isVisible: boolean
  readonly isStreaming: boolean
  /** No data has arrived for a while, by stream or by polling. */
  readonly isLost: boolean
  readonly query: {
    readonly isSuccess: boolean
    readonly isPaused: boolean
    readonly failureCount: number
    readonly error: unknown
  }
}

/** How the figures arrive, shown beside the title. */
export function chooseLiveState({ isVisible, isStreaming, isLost, query }: Connection): LiveState {
  if (!isVisible) return 'paused'
  if (isStreaming) return 'live'
  if (isSignedOut(query.error)) return 'signedOut'
  if (isLost || query.isPaused || query.failureCount > 0) return 'reconnecting'
  return query.isSuccess ? 'polling' : 'connecting'
}

/** Whether the page is in the visible tab. */
const useIsVisible = (): boolean =>
  useSyncExternalStore(
    (onChange) => focusManager.subscribe(onChange),
    () => focusManager.isFocused(),
    () => true,
  )

const dots = {
  live: 'bg-good',
  polling: 'bg-line-strong',
  connecting: 'bg-line-strong',
  reconnecting: 'bg-gate',
  signedOut: 'bg-danger',
  paused: 'bg-line-strong',
} as const satisfies Record<LiveState, string>

/** How fresh the figures are. A screen reader announces only this, not each figure. */
export function LiveSign({ state }: { state: LiveState }) {
  const t = useTranslations('adminLimits')
  return (
    <p role="status" className="flex items-center gap-2 text-sm font-medium text-ink-soft">
      <span aria-hidden="true" className={`size-2 rounded-full ${dots[state]}`} />
      {t(`live.${state}`)}
    </p>
  )
}
