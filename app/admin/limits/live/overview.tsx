import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import { useFormat } from '#app/ui/use-format.ts'
import type { Stats } from '../types.ts'
import { formatRate, sumTraffic, TrafficChart } from './traffic-chart.tsx'

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
