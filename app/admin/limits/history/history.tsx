'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import Link from 'next/link'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { Button } from '#app/ui/button.tsx'
import { Fold } from '#app/ui/fold.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Select } from '#app/ui/select.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { placeKey, setSummary, targetName, termsSummary } from '../terms-text.ts'
import type { HistoryItem } from '../types.ts'
import { historyAction, isOfSet, useHistoryOptions, useUndo } from './use-history.ts'

/** All changes of limits, newest first. */
export function History({ ruleSets }: { ruleSets: readonly string[] }) {
  const t = useTranslations('adminLimits')
  const [ruleSet, setRuleSet] = useState('')
  const query = useInfiniteQuery(useHistoryOptions(ruleSet))
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  const options = [{ value: '', label: t('historyAll') }, ...ruleSets.map((name) => ({ value: name, label: name }))]
  return (
    <Fold
      title={t('history')}
      isOpenAtFirst
      beside={
        <>
          <Link
            href={`/admin/audit?kind=limits${ruleSet && `&target=${encodeURIComponent(ruleSet)}`}`}
            prefetch={false}
            className="text-sm text-ink-soft underline underline-offset-2 hover:text-ink"
          >
            {t('historyInAudit')}
          </Link>
          <div className="w-56 max-w-full">
            <Select label={t('historyFilter')} isLabelHidden value={ruleSet} options={options} onChange={setRuleSet} />
          </div>
        </>
      }
    >
      {query.isPending && <Skeleton className="h-24 w-full" />}
      {query.isSuccess && items.length === 0 && (
        <p className="rounded-lg border border-line border-dashed px-4 py-6 text-center text-sm text-ink-soft">
          {ruleSet === '' ? t('historyNone') : t('historyNoneOf', { ruleSet })}
        </p>
      )}
      {items.length > 0 && (
        <ol aria-label={t('history')} className="divide-y divide-line rounded-lg border border-line bg-surface text-sm">
          {items.map((item, index) => (
            <HistoryLine
              key={item.id}
              item={item}
              isLast={items.findIndex((each) => isOfPlace(each, item)) === index}
            />
          ))}
        </ol>
      )}
      <QueryStanding query={query} />
      {query.hasNextPage && (
        <Button size="small" className="mt-3" isPending={query.isFetching} onPress={() => query.fetchNextPage()}>
          {t('historyMore')}
        </Button>
      )}
    </Fold>
  )
}

/** Whether two changes are of one override, or of one rule set that was added. */
const isOfPlace = (a: HistoryItem, b: HistoryItem): boolean =>
  a.action !== 'limits.reset' && isOfSet(a) === isOfSet(b) && a.ruleSet === b.ruleSet && placeKey(a) === placeKey(b)

/** Only the last change of a place can be undone: what came before it was replaced. */
function HistoryLine({ item, isLast }: { item: HistoryItem; isLast: boolean }) {
  const t = useTranslations('adminLimits')
  const format = useFormat()
  const { actor, ruleSet, procedure, target, subjectName } = item
  const action = historyAction(item)
  const isSet = isOfSet(item)
  const undo = useUndo(item)
  const describe = (terms: HistoryItem['after'], set: HistoryItem['setAfter']) =>
    set ? setSummary(t, format, set) : terms ? termsSummary(t, format, terms) : t(isSet ? 'addedNone' : 'declared')
  return (
    <li className="grid gap-x-4 px-4 py-2.5 md:grid-cols-[minmax(0,1fr)_max-content]">
      <div className="min-w-0">
        <p className="break-words">
          {t.rich(`action.${action}`, {
            actor: (name: ReactNode) => <span className="font-medium">{name}</span>,
            name: actor,
            ruleSet,
            target: targetName(t, target, subjectName, procedure),
            procedure: procedure ?? '',
          })}
        </p>
        {action !== 'reset' && (
          <dl className="figures grid grid-cols-[max-content_minmax(0,1fr)] gap-x-2 text-ink-soft">
            <dt>{t('before')}</dt>
            <dd className="break-words">{describe(item.before, item.setBefore)}</dd>
            <dt>{t('after')}</dt>
            <dd className="break-words text-ink">{describe(item.after, item.setAfter)}</dd>
          </dl>
        )}
        {item.note && <p className="break-words">“{item.note}”</p>}
      </div>
      <div className="flex flex-wrap items-start gap-x-3 md:flex-col md:items-end">
        <p className="figures text-ink-soft">
          <LocalDate iso={item.at} time />
        </p>
        {item.canUndo && isLast && (
          <Button
            tone="quiet"
            size="small"
            aria-label={t('undoChange', { ruleSet })}
            isPending={undo.isPending}
            onPress={() => undo.mutate()}
          >
            <Undo2 size={15} /> {t('undo')}
          </Button>
        )}
      </div>
    </li>
  )
}
