'use client'

import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { Segments } from '#app/ui/segments.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { DayChart } from './day-chart.tsx'
import { type Measure, seriesFor } from './month-days.ts'
import type { BudgetOverview, Day } from './types.ts'

const priced = ['money', 'requests', 'bytes'] as const satisfies readonly Measure[]
const free = ['stored', 'served', 'requests'] as const satisfies readonly Measure[]

/** The month in figures, with the forecast, and a chart by day. Where nothing has a price: what is stored, served and requested. */
export function MonthSummary({ overview }: { overview: BudgetOverview }) {
  const t = useTranslations('adminSpending')
  const { days, month, day, stored, served, cache, forecast, currency, prices, isFree } = overview
  const measures: readonly Measure[] = isFree ? free : priced
  const [chosen, setMeasure] = useState<Measure | null>(null)
  const measure = measures.find((each) => each === chosen) ?? (isFree ? 'stored' : 'money')
  const sum = (of: (each: Day) => number) => days.reduce((total, each) => total + of(each), 0)
  const deletes = sum((each) => each.deletes)
  const format = useFormat()
  const money = (nanos: number) => format.money(nanos, currency)
  const formatAmount = measure === 'money' ? money : measure === 'requests' ? format.count : format.bytes
  return (
    <section
      aria-label={t('monthSummary')}
      className="grid gap-x-8 gap-y-6 rounded-lg border border-line bg-surface p-4 sm:p-5 lg:grid-cols-[17rem_minmax(0,1fr)]"
    >
      <dl className="grid grid-cols-2 content-start gap-x-4 gap-y-4">
        {!isFree && (
          <Figure term={t('cost')} isLarge>
            {money(sum(({ nanos }) => nanos))}
            <Aside>
              {forecast
                ? t('costForecast', { amount: money(forecast.nanos), days: forecast.fromDays })
                : t('billMonth')}
            </Aside>
          </Figure>
        )}
        <Figure term={forecast ? t('stored') : t('storedNow')} isLarge={isFree}>
          {format.bytes(stored.bytes)}
          <Aside>{t('originals', { count: stored.objects })}</Aside>
        </Figure>
        {isFree && (
          <Figure term={t('served')}>
            {format.bytes(served.reduce((total, each) => total + each.sent, 0))}
            <Aside>{t('servedImages', { count: served.reduce((total, each) => total + each.calls, 0) })}</Aside>
          </Figure>
        )}
        <Figure term={isFree ? t('requestsTo', { provider: prices.provider }) : t('requests')}>
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
        <DayChart
          month={month}
          today={day}
          series={seriesFor(measure, month, overview)}
          formatAmount={formatAmount}
          isLevel={measure === 'stored'}
        />
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
