'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'

/** What a superadmin can do about jobs. */
export interface JobActions {
  readonly retry: (id: string) => void
  readonly discard: (id: string) => void
  /** The jobs that are under way to either. */
  readonly retrying: string | null
  readonly discarding: string | null
}

/** Tries jobs now and discards them; the list is asked anew behind either. */
export function useJobActions(): JobActions {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const onSettled = () => queryClient.invalidateQueries({ queryKey: trpc.job.list.queryKey() })
  const retry = useMutation(
    trpc.job.retry.mutationOptions({
      onSettled,
      onError: (error, input) => reportFailure('The job is not tried again.', error, () => retry.mutate(input)),
    }),
  )
  const discard = useMutation(
    trpc.job.discard.mutationOptions({
      onSettled,
      onError: (error, input) => reportFailure('The job was not discarded.', error, () => discard.mutate(input)),
    }),
  )
  return {
    retry: (id) => retry.mutate({ id }),
    discard: (id) => discard.mutate({ id }),
    retrying: retry.isPending ? retry.variables.id : null,
    discarding: discard.isPending ? discard.variables.id : null,
  }
}
