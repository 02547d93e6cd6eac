import type { ReactNode } from 'react'
import { count, formatCount } from '#format/counts.ts'
import type { Stats } from '../types.ts'
import { trafficOf } from './traffic.ts'
import { TrafficChart } from './traffic-chart.tsx'

/** How the limiter is: where it counts, in how many processes, and how much goes through it. */
export function Overview({ stats }: { stats: Stats }) {
  const traffic = trafficOf(stats.labels)
  return (
    <section aria-label="Now" className="flex flex-col gap-4">
      {stats.status === 'degraded' && <Degraded />}
      <div className="grid gap-x-8 gap-y-5 rounded-lg border border-line bg-surface p-4 sm:p-5 md:grid-cols-[19rem_minmax(0,1fr)]">
        <dl className="grid grid-cols-2 content-between gap-x-4 gap-y-3">
          <Figure term="Calls a second" isLarge>
            {rateWords(traffic.perSecond)}
          </Figure>
          <Figure term="Store">
            {stats.store === 'redis' ? 'Redis' : 'In process'}
            <span className="block text-sm font-normal text-ink-soft">
              {stats.status === 'degraded' ? 'does not answer' : count(stats.processes, 'process', 'processes')}
            </span>
          </Figure>
          <Figure term="Passed in 60 s">{formatCount(traffic.passedInAll)}</Figure>
          <Figure term="Refused in 60 s">
            <span className={traffic.refusedInAll > 0 ? 'text-gate' : ''}>{formatCount(traffic.refusedInAll)}</span>
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

function Degraded() {
  return (
    <div role="alert" className="rounded-lg border border-danger bg-danger-soft px-4 py-3">
      <p className="font-semibold text-danger">The limiter’s store does not answer.</p>
      <p className="mt-1 text-sm">
        Until it is back, each process counts by itself with its share of every limit, and rule sets that say so refuse
        or allow everything. What was counted before is in the store. Nothing need be done here: the limiter tries again
        by itself.
      </p>
    </div>
  )
}

const rateWords = (perSecond: number): string =>
  perSecond > 0 && perSecond < 10 ? perSecond.toFixed(1) : formatCount(Math.round(perSecond))
