'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { type Inputs, useTRPC } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { toast } from '#app/ui/toast-queue.ts'

/** A count to reset: of a subject in a rule set, or of one key. */
export interface ResetOf {
  readonly input: Inputs['limits']['reset']
  /** In words. */
  readonly subject: string
  readonly ruleSet: string
}

/** Returns a function that resets a count. */
export function useReset(): (what: ResetOf) => void {
  const t = useTranslations('adminLimits')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const { mutate } = useMutation(trpc.limits.reset.mutationOptions())
  const reset = (what: ResetOf): void =>
    mutate(what.input, {
      onSuccess: () => {
        toast({ title: t('resetDone', { subject: what.subject, ruleSet: what.ruleSet }) })
        void queryClient.invalidateQueries(trpc.limits.explain.queryFilter())
        void queryClient.invalidateQueries(trpc.limits.blocks.queryFilter())
      },
      onError: (error) => reportFailure(t('resetFailed'), error, () => reset(what)),
    })
  return reset
}
