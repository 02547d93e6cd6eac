import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { SHARES } from './use-shares.ts'

/** Revokes a share, and shows the list without it. */
export function useRevoke() {
  const t = useTranslations('sharing')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const revoke = useMutation(
    trpc.share.revoke.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries({ queryKey: SHARES })
        toast({ title: t('revoked') })
      },
      onError: (error, input) => reportFailure(t('revokeFailed'), error, () => revoke.mutate(input)),
    }),
  )
  return revoke
}
