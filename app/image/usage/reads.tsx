'use client'

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { ReadsChart } from './reads-chart.tsx'
import { ReadsTable } from './reads-table.tsx'

/** How often an image was read in the last 30 days: totals, a chart, and the same as a table. */
export default function Reads({ id }: { id: string }) {
  const t = useTranslations('image')
  const format = useFormat()
  const query = useQuery(useTRPC().image.usage.queryOptions({ id }, { staleTime: 0 }))
  const usage = query.data
  return (
    <div className="flex flex-col gap-2.5 text-sm">
      {query.isPending && <Skeleton className="h-36" />}
      <QueryStanding query={query} />
      {usage && (
        <>
          <p className="figures">{t('readsTotal', { count: usage.reads, size: format.bytes(usage.sent) })}</p>
          {usage.reads > 0 && <ReadsChart days={usage.days} />}
          {!usage.isExact && <p className="text-ink-soft">{t('readsRough')}</p>}
          <p className="text-xs text-ink-soft">{t('readsHint')}</p>
          {usage.reads > 0 && <ReadsTable days={usage.days} />}
        </>
      )}
    </div>
  )
}
