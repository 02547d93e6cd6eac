'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useTRPC } from '#app/connection/trpc.ts'

/** The history of a rule set, or of all. */
export const historyKey = (ruleSet?: string) =>
  ruleSet === undefined ? ['limits-history'] : ['limits-history', ruleSet]

/** Reads again what a change of the limits has changed beside their list. */
export function useAfterChange(): () => Promise<unknown> {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  return useCallback(
    () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: historyKey() }),
        queryClient.invalidateQueries(trpc.limits.blocks.queryFilter()),
      ]),
    [queryClient, trpc],
  )
}
