'use client'

import type { ComponentProps, ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import { useFormat } from '#app/ui/use-format.ts'
import { Ranking } from '../../ranking.tsx'
import { useConsole } from '../console.tsx'
import { useHeldRows } from '../held-rows.ts'
import { findSet } from '../places.ts'
import { SetLink } from '../set-link.tsx'
import type { Standing, Stats } from '../types.ts'
import { Bar, Counted } from './counted.tsx'
import { SubjectActions } from './subject-actions.tsx'
import { fullness, permitsIn } from './subject-text.ts'

/** The subjects nearest to a limit and those refused most. */
export function Subjects({ stats }: { stats: Stats }) {
  const t = useTranslations('adminLimits')
  return (
    <section aria-labelledby="subjects" className="mt-10">
      <h2 id="subjects" className="mb-3 text-lg font-semibold">
        {t('subjects')}
      </h2>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Standings
          {...{ title: t('nearest'), period: t('nearestPeriod'), empty: t('nearestNone'), standings: stats.nearest }}
        >
          {(near) => <Used near={near} />}
        </Standings>
        <Standings
          {...{ title: t('mostRefused'), period: t('mostRefusedPeriod'), empty: t('mostRefusedNone') }}
          standings={stats.mostRefused}
        >
          {({ refused, lastAt }) =>
            t.rich('refusedLast', { count: refused, time: () => <Ago at={lastAt} now={stats.at} /> })
          }
        </Standings>
      </div>
    </section>
  )
}

interface RankingProps<T> extends Pick<ComponentProps<typeof Ranking>, 'title' | 'period' | 'empty'> {
  standings: readonly T[]
  /** Returns the figures of a subject. */
  children: (standing: T) => ReactNode
}

/** Subjects in order. */
function Standings<T extends Standing>({ standings, children, ...ranking }: RankingProps<T>) {
  const keys = rowKeys(standings)
  const { rows, handlers } = useHeldRows(new Map(standings.map((standing, index) => [keys[index] ?? '', standing])))
  return (
    <Ranking {...ranking} {...handlers} isEmpty={rows.size === 0}>
      {[...rows].map(([key, standing]) => (
        <Rank key={key} standing={standing}>
          {children(standing)}
        </Rank>
      ))}
    </Ranking>
  )
}

/** A unique key for each row: viewers from whom addresses are hidden get several subjects with the same key. */
export function rowKeys(standings: readonly Standing[]): readonly string[] {
  const seen = new Map<string, number>()
  return standings.map(({ subject, key: counted, ruleSet, policy }) => {
    const key = `${counted ?? subject.key} ${ruleSet} ${policy}`
    const nth = seen.get(key) ?? 0
    seen.set(key, nth + 1)
    return `${key} ${nth}`
  })
}

/** One subject with its rule, its figures and its actions. */
function Rank({ standing, children }: { standing: Standing; children: ReactNode }) {
  const set = findSet(useConsole().list, standing.ruleSet)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 py-2 pr-2 pl-4 text-sm">
      <div className="min-w-0">
        <span className="flex flex-wrap items-center gap-x-2">
          <Counted {...standing} />
          <SetLink name={set?.name ?? standing.ruleSet}>{standing.policy}</SetLink>
        </span>
        <span className="figures block text-ink-soft">{children}</span>
      </div>
      {set && <SubjectActions standing={standing} set={set} />}
    </li>
  )
}

function Used({ near }: { near: Stats['nearest'][number] }) {
  const t = useTranslations('adminLimits')
  const format = useFormat()
  const say = permitsIn(format, findSet(useConsole().list, near.ruleSet)?.unit ?? 'calls')
  return (
    <span className="flex items-center gap-3">
      <Bar part={fullness(near)} />
      <span className="w-36 shrink-0 text-right">{t('used', { used: say(near.used), limit: say(near.limit) })}</span>
    </span>
  )
}

/** Both times come from the server's clock. */
function Ago({ at, now }: { at: number; now: number }) {
  const format = useFormat()
  const iso = new Date(at).toISOString()
  return (
    <time dateTime={iso} title={format.date(iso, { time: true })}>
      {format.ago(now - at)}
    </time>
  )
}
