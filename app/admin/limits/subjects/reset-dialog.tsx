'use client'

import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { useLimitsData } from '../changes/use-slots.ts'
import type { OpenDialog } from '../console.tsx'

type Props = Omit<Extract<OpenDialog, { kind: 'reset' }>, 'kind'> & { onClose: () => void }

/** Asks before a count begins again at zero. */
export default function ResetDialog({ input, subject, ruleSet, onClose }: Props) {
  const t = useTranslations('adminLimits')
  const trpc = useTRPC()
  const { refresh } = useLimitsData()
  const reset = useMutation(
    trpc.limits.reset.mutationOptions({
      onSuccess: () => {
        toast({ title: t('resetDone', { subject, ruleSet }) })
        void refresh()
      },
      onError: (error) => reportFailure(t('resetFailed'), error, () => reset.mutate(input)),
    }),
  )
  return (
    <Confirm
      isOpen
      title={t('resetTitle', { subject, ruleSet })}
      action={t('resetUsage')}
      onClose={onClose}
      onConfirm={() => reset.mutate(input)}
    >
      {t('resetText')}
    </Confirm>
  )
}
