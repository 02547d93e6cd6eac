'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { CheckRow } from '#app/ui/check-row.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { toast } from '#app/ui/toast-queue.ts'

/** Whether uploads keep the date taken and the camera. What was kept can be deleted once they do not. */
export function PhotoDetails() {
  const t = useTranslations('account')
  const trpc = useTRPC()
  const client = useQueryClient()
  const details = useQuery(trpc.account.photoDetails.queryOptions())
  const [isAsking, setAsking] = useState(false)
  const reload = () => client.invalidateQueries(trpc.account.photoDetails.queryFilter())
  const set = useMutation(
    trpc.account.setPhotoDetails.mutationOptions({
      onSuccess: reload,
      onError: (error, input) => reportFailure(t('photoDetailsFailed'), error, () => set.mutate(input)),
    }),
  )
  const forget = useMutation(
    trpc.account.forgetPhotoDetails.mutationOptions({
      onSuccess: ({ forgotten }) => {
        toast({ title: t('photoDetailsForgotten', { count: forgotten }) })
        return reload()
      },
      onError: (error) => reportFailure(t('photoDetailsNotForgotten'), error, () => forget.mutate()),
    }),
  )
  if (!details.data) return <QueryStanding query={details} />
  const { kept } = details.data
  const keeps = set.isPending ? set.variables.keeps : details.data.keeps
  return (
    <div className="flex max-w-lg flex-col items-start gap-4">
      <CheckRow
        label={t('photoDetailsKeep')}
        hint={t('photoDetailsHint')}
        isChecked={keeps}
        onChange={(isChecked) => set.mutate({ keeps: isChecked })}
      />
      {!keeps && kept > 0 && (
        <Button tone="quiet" isDisabled={forget.isPending} onPress={() => setAsking(true)}>
          {t('photoDetailsForget', { count: kept })}
        </Button>
      )}
      <Confirm
        isOpen={isAsking}
        title={t('photoDetailsForgetTitle')}
        action={t('photoDetailsForgetAction')}
        onClose={() => setAsking(false)}
        onConfirm={() => forget.mutate()}
      >
        {t('photoDetailsForgetText', { count: kept })}
      </Confirm>
    </div>
  )
}
