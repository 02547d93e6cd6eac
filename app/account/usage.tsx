'use client'

import { useQuery } from '@tanstack/react-query'
import { DayChart } from '#app/admin/spending/day-chart.tsx'
import { daysOf } from '#app/admin/spending/month-days.ts'
import { useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { formatBytes } from '#format/bytes.ts'
import { formatCount } from '#format/counts.ts'

/** One's own meters: what was sent, and what was added. */
export function Usage() {
  const trpc = useTRPC()
  const query = useQuery(trpc.budget.mine.queryOptions(undefined, { staleTime: 0 }))
  return (
    <div className="flex max-w-xl flex-col gap-4">
      {query.isPending && <Skeleton className="h-48" />}
      <QueryStanding query={query} />
      {query.data && (
        <>
          <p className="figures">
            {formatCount(query.data.calls)} images sent, {formatBytes(query.data.sent)};{' '}
            {formatCount(query.data.added.images)} added, {formatBytes(query.data.added.bytes)}.
          </p>
          <DayChart
            month={query.data.month}
            today={query.data.day}
            series={[{ word: 'sent', tone: 'water', amounts: sentOf(query.data) }]}
            format={formatBytes}
          />
        </>
      )}
    </div>
  )
}

function sentOf({ month, days }: { month: string; days: readonly { day: string; sent: number }[] }): readonly number[] {
  const known = new Map(days.map(({ day, sent }) => [day, sent]))
  return daysOf(month).map((day) => known.get(day) ?? 0)
}
