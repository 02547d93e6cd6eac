'use client'

import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { Segments } from '#app/ui/segments.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { DayChart } from './day-chart.tsx'
import { type Measure, seriesFor } from './month-days.ts'
import type { BudgetOverview, Day } from './types.ts'

const measures = ['money', 'requests', 'bytes'] as const satisfies readonly Measure[]

/** The month in figures, with the forecast, and a chart by day. */
export function MonthSummary({ overview }: { overview: BudgetOverview }) {
  const t = useTranslations('adminSpending')
  const { days, month, day, stored, cache, forecast, currency, prices } = overview
  const isFree = prices.provider === 'disk' || prices.provider === 'other'
  const [measure, setMeasure] = useState<Measure>(isFree ? 'requests' : 'money')
  const sum = (of: (each: Day) => number) => days.reduce((total, each) => total + of(each), 0)
  const deletes = sum((each) => each.deletes)
  const format = useFormat()
  const money = (nanos: number) => format.money(nanos, currency)
  const formatAmount = { money, requests: format.count, bytes: format.bytes }[measure]
  return (
    <section
      aria-label={t('monthSummary')}
      className="grid gap-x-8 gap-y-6 rounded-lg border border-line bg-surface p-4 sm:p-5 lg:grid-cols-[17rem_minmax(0,1fr)]"
    >
      <dl className="grid grid-cols-2 content-start gap-x-4 gap-y-4">
        <Figure term={t('cost')} isLarge>
          {money(sum(({ nanos }) => nanos))}
          <Aside>
            {forecast ? t('costForecast', { amount: money(forecast.nanos), days: forecast.fromDays }) : t('billMonth')}
          </Aside>
        </Figure>
        <Figure term={forecast ? t('stored') : t('storedNow')}>
          {format.bytes(stored.bytes)}
          <Aside>{t('originals', { count: stored.objects })}</Aside>
        </Figure>
        <Figure term={t('requests')}>
          {format.count(sum(({ reads, writes }) => reads + writes))}
          {forecast && <Aside>{t('requestsForecast', { count: forecast.requests })}</Aside>}
          {deletes > 0 && <Aside>{t('deletes', { count: deletes })}</Aside>}
        </Figure>
        <Figure term={t('bucketOrDisk', { provider: prices.provider })}>
          {format.bytes(sum(({ bytesOut }) => bytesOut))}
          <Aside>{t('written', { size: format.bytes(sum(({ bytesIn }) => bytesIn)) })}</Aside>
        </Figure>
        {forecast && cache && cache.hits + cache.misses > 0 && (
          <Figure term={t('cacheHits')}>
            {format.share(cache.hitRatio)}
            <Aside>{t('cacheHitsText', { size: format.bytes(cache.bytes) })}</Aside>
            {cache.savedNanos > 0 && <Aside>{t('cacheSaved', { amount: money(cache.savedNanos) })}</Aside>}
          </Figure>
        )}
      </dl>
      <div className="flex min-w-0 flex-col gap-3">
        <div className="self-start">
          <Segments
            label={t('chart')}
            value={measure}
            options={measures.map((value) => ({ value, label: t(`measures.${value}`) }))}
            onChange={setMeasure}
          />
        </div>
        <DayChart month={month} today={day} series={seriesFor(measure, month, days)} formatAmount={formatAmount} />
      </div>
    </section>
  )
}

function Figure({ term, isLarge = false, children }: { term: string; isLarge?: boolean; children: ReactNode }) {
  return (
    <div className={`flex flex-col ${isLarge ? 'col-span-2' : ''}`}>
      <dt className="text-sm text-ink-soft">{term}</dt>
      <dd className={`figures font-semibold tracking-[-0.01em] wrap-anywhere ${isLarge ? 'text-3xl' : 'text-lg'}`}>
        {children}
      </dd>
    </div>
  )
}

function Aside({ children }: { children: ReactNode }) {
  return <span className="block text-sm font-normal tracking-normal text-ink-soft">{children}</span>
}
