'use client'

import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import Link from 'next/link'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPCClient } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { Button } from '#app/ui/button.tsx'
import { Fold } from '#app/ui/fold.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Select } from '#app/ui/select.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { useConsole } from '../console.tsx'
import { placeKey, setSummary, targetName, termsSummary } from '../terms-text.ts'
import type { HistoryItem } from '../types.ts'
import { undoSlot } from './slot.ts'
import { historyKey, useAddedSlot, useOverrideSlot } from './use-slots.ts'

/** All changes of limits, newest first. */
export function History() {
  const t = useTranslations('adminLimits')
  const [ruleSet, setRuleSet] = useState('')
  const query = useHistory(ruleSet)
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Fold title={t('history')} isOpenAtFirst beside={<Filter ruleSet={ruleSet} onChange={setRuleSet} />}>
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

/** The changes of a rule set, or of all if `ruleSet` is empty. */
function useHistory(ruleSet: string) {
  const { limits } = useTRPCClient()
  return useInfiniteQuery({
    queryKey: historyKey(ruleSet),
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      limits.history.query(
        { ...(ruleSet && { ruleSet }), ...(pageParam !== null && { cursor: pageParam }) },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

function Filter({ ruleSet, onChange }: { ruleSet: string; onChange: (ruleSet: string) => void }) {
  const t = useTranslations('adminLimits')
  const names = useConsole().list.ruleSets.map(({ name }) => ({ value: name, label: name }))
  const options = [{ value: '', label: t('historyAll') }, ...names]
  return (
    <>
      <Link
        href={`/admin/audit?kind=limits${ruleSet && `&target=${encodeURIComponent(ruleSet)}`}`}
        prefetch={false}
        className="text-sm text-ink-soft underline underline-offset-2 hover:text-ink"
      >
        {t('historyInAudit')}
      </Link>
      <div className="w-56 max-w-full">
        <Select label={t('historyFilter')} isLabelHidden value={ruleSet} options={options} onChange={onChange} />
      </div>
    </>
  )
}

/** Whether two changes are of one override, or of one rule set that was added. */
const isOfPlace = (a: HistoryItem, b: HistoryItem): boolean =>
  a.action !== 'limits.reset' && isOfSet(a) === isOfSet(b) && a.ruleSet === b.ruleSet && placeKey(a) === placeKey(b)

/** Whether it is about a rule set that was added at run time. */
const isOfSet = ({ action }: Pick<HistoryItem, 'action'>): boolean =>
  action === 'limits.setRuleSet' || action === 'limits.removeRuleSet'

/** Only the last change of a place can be undone: what came before it was replaced. */
function HistoryLine({ item, isLast }: { item: HistoryItem; isLast: boolean }) {
  const t = useTranslations('adminLimits')
  const undo = useUndo(item)
  return (
    <li className="grid gap-x-4 px-4 py-2.5 md:grid-cols-[minmax(0,1fr)_max-content]">
      <Change item={item} />
      <div className="flex flex-wrap items-start gap-x-3 md:flex-col md:items-end">
        <p className="figures text-ink-soft">
          <LocalDate iso={item.at} time />
        </p>
        {item.canUndo && isLast && (
          <Button
            tone="quiet"
            size="small"
            aria-label={t('undoChange', { ruleSet: item.ruleSet })}
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

/** Who changed what, before and after. */
function Change({ item }: { item: HistoryItem }) {
  const t = useTranslations('adminLimits')
  const format = useFormat()
  const { actor, ruleSet, procedure, target, subjectName, note } = item
  const action = historyAction(item)
  const describe = (terms: HistoryItem['after'], set: HistoryItem['setAfter']) =>
    set
      ? setSummary(t, format, set)
      : terms
        ? termsSummary(t, format, terms)
        : t(isOfSet(item) ? 'addedNone' : 'declared')
  const values = {
    actor: (name: ReactNode) => <span className="font-medium">{name}</span>,
    ...{ name: actor, ruleSet, procedure: procedure ?? '' },
    target: targetName(t, target, subjectName, procedure),
  }
  return (
    <div className="min-w-0">
      <p className="break-words">{t.rich(`action.${action}`, values)}</p>
      {action !== 'reset' && (
        <dl className="figures grid grid-cols-[max-content_minmax(0,1fr)] gap-x-2 text-ink-soft">
          <dt>{t('before')}</dt>
          <dd className="break-words">{describe(item.before, item.setBefore)}</dd>
          <dt>{t('after')}</dt>
          <dd className="break-words text-ink">{describe(item.after, item.setAfter)}</dd>
        </dl>
      )}
      {note && <p className="break-words">“{note}”</p>}
    </div>
  )
}

/** What a history entry records. */
export function historyAction({
  action,
  target,
  before,
  setBefore,
}: Pick<HistoryItem, 'action' | 'target' | 'before' | 'setBefore'>) {
  if (action === 'limits.removeRuleSet') return 'removedSet'
  if (action === 'limits.setRuleSet') return setBefore ? 'changedSet' : 'addedSet'
  if (action === 'limits.reset') return 'reset'
  const isTrial = target.kind === 'trial'
  if (action === 'limits.clear') return isTrial ? 'endedTrial' : 'cleared'
  if (isTrial) return before ? 'changedTrial' : 'tried'
  return before ? 'changed' : 'created'
}

/** Puts back what a change has replaced, unless somebody has changed it since. That is a change of its own. */
function useUndo(item: HistoryItem) {
  const overrideSlot = useOverrideSlot()
  const addedSlot = useAddedSlot()
  const { ruleSet, procedure, target, subjectName, before, after, setBefore, setAfter, note, noteBefore } = item
  return useMutation({
    mutationFn: (): Promise<void> => {
      if (isOfSet(item)) {
        const content = setBefore && { set: setBefore, note: noteBefore }
        const place = { name: ruleSet, procedure: procedure ?? '' }
        return undoSlot(addedSlot(place), content, (now) => isEqual([now?.set, now?.note], [setAfter, note]))
      }
      const content = before && { terms: before, note: noteBefore }
      const place = { ruleSet, procedure, target, subjectName }
      return undoSlot(overrideSlot(place), content, (now) => isEqual([now?.terms, now?.note], [after, note]))
    },
  })
}

/** Both come from the same stored JSON, whose keys have one order. */
const isEqual = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  JSON.stringify(a.map((each) => each ?? null)) === JSON.stringify(b)
