'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useTRPC } from '#app/connection/trpc.ts'

/** What one's images take and may take, in bytes; asked for anew wherever it is shown, as every upload and deletion changes it. */
export function useRoom() {
  const trpc = useTRPC()
  return useQuery(trpc.account.me.queryOptions(undefined, { select: ({ room }) => room, staleTime: 0 }))
}

/** Has the figures asked for anew, where they are shown. */
export function useRoomRefresh(): () => Promise<void> {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  return useCallback(() => queryClient.invalidateQueries({ queryKey: trpc.account.me.queryKey() }), [trpc, queryClient])
}
