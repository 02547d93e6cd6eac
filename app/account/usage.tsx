'use client'

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { DayChart } from '#app/admin/spending/day-chart.tsx'
import { useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { daysIn } from '#format/dates.ts'

/** The viewer's own traffic this month: images served and images added. */
export function Usage() {
  const t = useTranslations('account')
  const format = useFormat()
  const trpc = useTRPC()
  const query = useQuery(trpc.budget.mine.queryOptions(undefined, { staleTime: 0 }))
  return (
    <div className="flex max-w-xl flex-col gap-4">
      {query.isPending && <Skeleton className="h-48" />}
      <QueryStanding query={query} />
      {query.data && (
        <>
          <p className="figures">
            {t('usageSummary', {
              served: query.data.calls,
              servedSize: format.bytes(query.data.sent),
              added: query.data.added.images,
              addedSize: format.bytes(query.data.added.bytes),
            })}
          </p>
          <DayChart
            month={query.data.month}
            today={query.data.day}
            series={[{ name: 'served', tone: 'water', amounts: servedByDay(query.data) }]}
            formatAmount={format.bytes}
          />
        </>
      )}
    </div>
  )
}

function servedByDay({
  month,
  days,
}: {
  month: string
  days: readonly { day: string; sent: number }[]
}): readonly number[] {
  const known = new Map(days.map(({ day, sent }) => [day, sent]))
  return daysIn(month).map((day) => known.get(day) ?? 0)
}
