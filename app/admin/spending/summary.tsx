'use client'

import { type ReactNode, useState } from 'react'
import { Segments } from '#app/ui/segments.tsx'
import { formatBytes } from '#format/bytes.ts'
import { count, formatCount, formatShare } from '#format/counts.ts'
import { formatMoney } from '#format/money.ts'
import { DayChart } from './day-chart.tsx'
import { type Measure, seriesOf } from './month-days.ts'
import type { Day, Overview } from './types.ts'
import { storeWord } from './words.ts'

const measures = [
  { value: 'money', label: 'Money' },
  { value: 'requests', label: 'Requests' },
  { value: 'bytes', label: 'Bytes' },
] as const

/** What the month has cost, what it will come to, and each of its days. */
export function Summary({ overview }: { overview: Overview }) {
  const { days, month, day, stored, cache, forecast, currency, prices } = overview
  const isFree = prices.provider === 'disk' || prices.provider === 'other'
  const [measure, setMeasure] = useState<Measure>(isFree ? 'requests' : 'money')
  const sum = (of: (each: Day) => number) => days.reduce((total, each) => total + of(each), 0)
  const deletes = sum((each) => each.deletes)
  const money = (nanos: number) => formatMoney(nanos, currency)
  const format = { money, requests: formatCount, bytes: formatBytes }[measure]
  return (
    <section
      aria-label="The month"
      className="grid gap-x-8 gap-y-6 rounded-lg border border-line bg-surface p-4 sm:p-5 lg:grid-cols-[17rem_minmax(0,1fr)]"
    >
      <dl className="grid grid-cols-2 content-start gap-x-4 gap-y-4">
        <Figure term="Requests and traffic" isLarge>
          {money(sum(({ nanos }) => nanos))}
          <Aside>
            {forecast
              ? `${money(forecast.nanos)} by the month’s end${paceWords(forecast.fromDays)}`
              : 'The whole month.'}
          </Aside>
        </Figure>
        <Figure term={forecast ? 'Stored' : 'Stored now'}>
          {formatBytes(stored.bytes)}
          <Aside>{count(stored.objects, 'original')}, with the smaller sizes</Aside>
        </Figure>
        <Figure term="Requests">
          {formatCount(sum(({ reads, writes }) => reads + writes))}
          {forecast && <Aside>{formatCount(forecast.requests)} by the end</Aside>}
          {deletes > 0 && <Aside>and {count(deletes, 'delete')}</Aside>}
        </Figure>
        <Figure term={`From the ${storeWord(prices)}`}>
          {formatBytes(sum(({ bytesOut }) => bytesOut))}
          <Aside>{formatBytes(sum(({ bytesIn }) => bytesIn))} into it</Aside>
        </Figure>
        {forecast && cache && cache.hits + cache.misses > 0 && (
          <Figure term="From the cache">
            {formatShare(cache.hitRatio)}
            <Aside>
              of reads since this process began. {formatBytes(cache.bytes)} kept
              {cache.savedNanos > 0 && `, ${money(cache.savedNanos)} saved`}
            </Aside>
          </Figure>
        )}
      </dl>
      <div className="flex min-w-0 flex-col gap-3">
        <div className="self-start">
          <Segments label="What the chart shows" value={measure} options={measures} onChange={setMeasure} />
        </div>
        <DayChart month={month} today={day} series={seriesOf(measure, month, days)} format={format} />
      </div>
    </section>
  )
}

const paceWords = (days: number): string => (days === 0 ? ', by today alone' : `, at the pace of ${count(days, 'day')}`)

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
