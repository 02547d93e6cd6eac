import { memo } from 'react'
import { useTranslations } from 'use-intl/react'
import { EmptyList } from '#app/ui/empty-list.tsx'
import { Fold } from '#app/ui/fold.tsx'
import type { Translate } from '#app/ui/translate.ts'
import { useFormat } from '#app/ui/use-format.ts'
import type { adminLimits } from '#messages/en/admin-limits.ts'
import { useConsole } from '../console.tsx'
import { formatRate, sumTraffic } from '../live/figures.ts'
import { TrafficBars } from '../live/overview.tsx'
import { SetLink } from '../set-link.tsx'
import type { ProcedureItem, Stats } from '../types.ts'
import { finder } from './set-order.ts'

/** Lists every procedure and route with its rule sets. */
export function Procedures({ search }: { search: string }) {
  const t = useTranslations('adminLimits')
  const { list, stats } = useConsole()
  const isFound = finder(search)
  const found = list.procedures.filter((each) => isFound([each.path, ...each.ruleSets, describe(t, each)].join(' ')))
  const isSearched = search.trim() !== ''
  const series = new Map(stats?.labels.map((label) => [label.label, label]))
  return (
    <Fold title={t('procedures')} amount={found.length} isForcedOpen={isSearched && found.length > 0}>
      {found.length === 0 && <EmptyList>{t('noProcedure', { search: search.trim() })}</EmptyList>}
      <ul
        aria-label={t('procedures')}
        className="divide-y divide-line rounded-lg border border-line bg-surface empty:hidden"
      >
        {found.map((procedure) => (
          <ProcedureLine key={procedure.path} procedure={procedure} label={series.get(procedure.path)} />
        ))}
      </ul>
    </Fold>
  )
}

interface LineProps {
  procedure: ProcedureItem
  label: Stats['labels'][number] | undefined
}

const ProcedureLine = memo(function ProcedureLine({ procedure, label }: LineProps) {
  const t = useTranslations('adminLimits')
  const { path, kind, ruleSets } = procedure
  const format = useFormat()
  const traffic = sumTraffic(label ? [label] : [])
  const { passedInAll, refusedInAll, perSecond } = traffic
  const isBusy = passedInAll + refusedInAll > 0
  return (
    <li className="grid gap-x-4 gap-y-0.5 px-4 py-2.5 text-sm md:grid-cols-[16rem_minmax(0,1fr)_14rem]">
      <p>
        <span className="font-medium break-all">{path}</span> <span className="text-ink-soft">{t(`kind.${kind}`)}</span>
        <span className="block text-ink-soft empty:hidden">{describe(t, procedure)}</span>
      </p>
      <p className="flex flex-wrap gap-x-2">
        {ruleSets.length === 0 && <span className="text-ink-soft">{t('notLimited')}</span>}
        {ruleSets.map((name) => (
          <SetLink key={name} name={name} />
        ))}
      </p>
      {isBusy && (
        <div className="figures text-ink-soft md:text-right">
          <TrafficBars traffic={traffic} className="h-7 border-b border-line" />
          <p>
            {t('callsEachSecond', { rate: formatRate(perSecond, format) })} ·{' '}
            {t('figure.passed', { count: passedInAll })}
            {refusedInAll > 0 && <span className="text-gate"> · {t('figure.refused', { count: refusedInAll })}</span>}
          </p>
        </div>
      )}
    </li>
  )
})

/** What a route is, in words; empty for a procedure, whose name says it. */
function describe(t: Translate<'adminLimits'>, { path, kind }: ProcedureItem): string {
  const route = `route.${path}` as `route.${keyof typeof adminLimits.route}`
  return kind === 'route' && t.has(route) ? t(route) : ''
}
