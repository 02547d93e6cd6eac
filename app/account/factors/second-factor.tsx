'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { Smartphone } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyList } from '#app/ui/empty-list.tsx'
import { late } from '#app/ui/late.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Opened } from './factor-dialog.tsx'

// Few have one: others load none of it.
const FactorList = late(() => import('./factor-list.tsx'))
const FactorDialog = late(() => import('./factor-dialog.tsx'))

/** The account's authenticator app, its recovery codes, and the browsers that need neither. */
export function SecondFactor() {
  const t = useTranslations('factors')
  const trpc = useTRPC()
  const query = useQuery(trpc.identity.show.queryOptions())
  const [opened, setOpened] = useState<Opened | null>(null)
  const begin = useMutation(
    trpc.identity.beginTotp.mutationOptions({
      gcTime: 0,
      onSuccess: setOpened,
      onError: (error) => reportFailure(t('notBegun'), error, () => begin.mutate()),
    }),
  )
  const { data } = query
  const hasFactor = data !== undefined && (data.app !== null || data.factors.passkeys > 0)
  return (
    <div className="flex flex-col items-start gap-4">
      {query.isPending && <Skeleton className="h-16 w-full" />}
      <QueryStanding query={query} />
      {data && !hasFactor && <None isOff={data.rule === 'off'} />}
      {data && hasFactor && (
        <FactorList
          standIn={<Skeleton className="h-16 w-full" />}
          app={data.app}
          shown={data}
          isReplacing={begin.isPending}
          onReplace={() => begin.mutate()}
          onMade={setOpened}
        />
      )}
      {data && !data.app && data.rule !== 'off' && (
        <Button isPending={begin.isPending} onPress={() => begin.mutate()}>
          <Smartphone size={17} /> {t('setUp')}
        </Button>
      )}
      {opened && <FactorDialog opened={opened} onClose={() => setOpened(null)} />}
    </div>
  )
}

function None({ isOff }: { isOff: boolean }) {
  const t = useTranslations('factors')
  if (isOff) return <Notice>{t('off')}</Notice>
  return <EmptyList>{t('none')}</EmptyList>
}
