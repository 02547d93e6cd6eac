'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useTRPC } from '#app/connection/trpc.ts'

/**
 * Returns the used storage and the quota, in bytes. Reloaded whenever it is shown, because every upload and deletion
 * changes it.
 */
export function useRoom() {
  const trpc = useTRPC()
  return useQuery(trpc.account.me.queryOptions(undefined, { select: ({ room }) => room, staleTime: 0 }))
}

/** Returns a function that reloads the figures if they are shown. */
export function useRoomRefresh(): () => Promise<void> {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  return useCallback(() => queryClient.invalidateQueries({ queryKey: trpc.account.me.queryKey() }), [trpc, queryClient])
}
