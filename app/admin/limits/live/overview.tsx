import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import { useFormat } from '#app/ui/use-format.ts'
import type { Stats } from '../types.ts'
import { chooseCeiling, formatRate, sumTraffic, type Traffic } from './figures.ts'

/** The limiter's store, its processes and the calls of the last minute. */
export function LiveOverview({ stats }: { stats: Stats }) {
  const t = useTranslations('adminLimits')
  const format = useFormat()
  const traffic = sumTraffic(stats.labels)
  return (
    <section aria-label={t('now')} className="flex flex-col gap-4">
      {stats.status === 'degraded' && <StoreOutage />}
      <div className="grid gap-x-8 gap-y-5 rounded-lg border border-line bg-surface p-4 sm:p-5 md:grid-cols-[19rem_minmax(0,1fr)]">
        <dl className="grid grid-cols-2 content-between gap-x-4 gap-y-3">
          <Figure term={t('callsPerSecond')} isLarge>
            {formatRate(traffic.perSecond, format)}
          </Figure>
          <Figure term={t('store')}>
            {stats.store === 'redis' ? t('storeRedis') : t('storeMemory')}
            <span className="block text-sm font-normal text-ink-soft">
              {stats.status === 'degraded' ? t('unavailable') : t('processes', { count: stats.processes })}
            </span>
          </Figure>
          <Figure term={t('allowedIn')}>{format.count(traffic.passedInAll)}</Figure>
          <Figure term={t('refusedIn')}>
            <span className={traffic.refusedInAll > 0 ? 'text-gate' : ''}>{format.count(traffic.refusedInAll)}</span>
          </Figure>
        </dl>
        <TrafficChart traffic={traffic} />
      </div>
    </section>
  )
}

function Figure({ term, isLarge = false, children }: { term: string; isLarge?: boolean; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col">
      <dt className="text-sm text-ink-soft">{term}</dt>
      <dd className={`figures font-semibold tracking-[-0.01em] wrap-anywhere ${isLarge ? 'text-3xl' : 'text-lg'}`}>
        {children}
      </dd>
    </div>
  )
}

function StoreOutage() {
  const t = useTranslations('adminLimits')
  return (
    <div role="alert" className="rounded-lg border border-danger bg-danger-soft px-4 py-3">
      <p className="font-semibold text-danger">{t('outageTitle')}</p>
      <p className="mt-1 text-sm">{t('outageText')}</p>
    </div>
  )
}

const HEIGHT = 96
const STEP = 10
const BAR = 7
const nothing: readonly number[] = []

/**
 * Charts the calls of the last 60 seconds with a bar per second, refused calls on top of allowed ones. The caption
 * gives the peak.
 */
function TrafficChart({ traffic }: { traffic: Traffic }) {
  const t = useTranslations('adminLimits')
  const format = useFormat()
  const ceiling = chooseCeiling(traffic.peak)
  return (
    <figure className="flex min-w-0 flex-col gap-1.5">
      <div className="relative border-b border-line-strong">
        <span className="figures absolute top-0 left-0 text-xs leading-none text-ink-soft" aria-hidden="true">
          {format.count(ceiling)}
        </span>
        <TrafficBars traffic={traffic} className="h-28" />
      </div>
      <figcaption className="flex flex-wrap gap-x-4 text-xs text-ink-soft">
        <span>{t('chart', { count: traffic.peak })}</span>
        <Key tone="bg-water" label={t('allowed')} />
        <Key tone="bg-gate" label={t('refused')} />
      </figcaption>
    </figure>
  )
}

/** A bar for each second, allowed and refused calls. */
export function TrafficBars({ traffic, className }: { traffic: Traffic; className: string }) {
  const { passed, refused, peak } = traffic
  const ceiling = chooseCeiling(peak)
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${60 * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={`block w-full ${className}`}
    >
      <path className="fill-water" d={drawBars(passed, nothing, ceiling)} />
      <path className="fill-gate" d={drawBars(refused, passed, ceiling)} />
    </svg>
  )
}

/** Returns one path for all bars, each stacked on its bar of `below`. */
function drawBars(amounts: readonly number[], below: readonly number[], ceiling: number): string {
  const bars = amounts.map((amount, second) => {
    const y = HEIGHT * (1 - (amount + (below[second] ?? 0)) / ceiling)
    return amount === 0 ? '' : `M${second * STEP} ${y}h${BAR}v${(HEIGHT * amount) / ceiling}h-${BAR}z`
  })
  return bars.join('')
}

function Key({ tone, label }: { tone: string; label: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden="true" className={`size-2 rounded-[2px] ${tone}`} />
      {label}
    </span>
  )
}
