'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'

/** What a superadmin can do with jobs. */
export interface JobActions {
  readonly retry: (id: string) => void
  readonly discard: (id: string) => void
  /** The job whose call is in progress. */
  readonly retrying: string | null
  readonly discarding: string | null
}

/** Retries and discards jobs, then reloads the list. */
export function useJobActions(): JobActions {
  const t = useTranslations('adminJobs')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const onSettled = () => queryClient.invalidateQueries({ queryKey: trpc.job.list.queryKey() })
  const retry = useMutation(
    trpc.job.retry.mutationOptions({
      onSettled,
      onError: (error, input) => reportFailure(t('retryFailed'), error, () => retry.mutate(input)),
    }),
  )
  const discard = useMutation(
    trpc.job.discard.mutationOptions({
      onSettled,
      onError: (error, input) => reportFailure(t('discardFailed'), error, () => discard.mutate(input)),
    }),
  )
  return {
    retry: (id) => retry.mutate({ id }),
    discard: (id) => discard.mutate({ id }),
    retrying: retry.isPending ? retry.variables.id : null,
    discarding: discard.isPending ? discard.variables.id : null,
  }
}
