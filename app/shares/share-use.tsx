'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type Outputs, useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { Segments } from '#app/ui/segments.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { type Measure, measures, UseChart } from './use-chart.tsx'

type Limit = Outputs['share']['use']['limits'][number]

/** What of a share's limits is used now, and its use by day. */
export default function ShareUse({ id }: { id: string }) {
  const t = useTranslations('sharing')
  const trpc = useTRPC()
  const query = useQuery(trpc.share.use.queryOptions({ id }, { refetchInterval: 15_000 }))
  const [measure, setMeasure] = useState<Measure>('visitors')
  const { data } = query
  return (
    <section className="flex flex-col gap-4 rounded-md bg-sunken/60 p-4">
      {query.isPending && <Skeleton className="h-48 w-full" />}
      <QueryStanding query={query} />
      {data && (
        <>
          <ul className="grid gap-3 sm:grid-cols-3">
            {data.limits.map((limit) => (
              <LimitBar key={limit.name} limit={limit} />
            ))}
          </ul>
          <div className="flex flex-wrap items-center justify-between gap-2">
            <h3 className="text-sm font-semibold">{t('chart')}</h3>
            <Segments
              label={t('chart')}
              value={measure}
              options={measures.map((value) => ({ value, label: t(`measure.${value}`) }))}
              onChange={setMeasure}
            />
          </div>
          <UseChart days={data.days} measure={measure} />
        </>
      )}
    </section>
  )
}

function LimitBar({ limit: { name, limit, used, resetMs } }: { limit: Limit }) {
  const t = useTranslations('sharing')
  const format = useFormat()
  const write = name === 'bytesPerDay' ? format.bytes : format.count
  const part = Math.min(1, used / limit)
  const tone = part >= 1 ? 'bg-danger' : part >= 0.8 ? 'bg-gate' : 'bg-water'
  return (
    <li className="figures flex flex-col gap-1 text-sm">
      <span className="font-medium">{t(name)}</span>
      <span aria-hidden="true" className="block h-1.5 overflow-hidden rounded-full bg-line">
        <span className={`block h-full rounded-full ${tone}`} style={{ width: `${100 * part}%` }} />
      </span>
      <span className="text-ink-soft">{t('used', { used: write(used), limit: write(limit) })}</span>
      {part >= 0.8 && <span className="text-gate">{t('back', { wait: format.wait(resetMs) })}</span>}
    </li>
  )
}
