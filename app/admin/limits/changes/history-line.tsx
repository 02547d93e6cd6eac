'use client'

import { useMutation } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import { Button } from '#app/ui/button.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { setSummary, targetName, termsSummary } from '../terms-text.ts'
import type { HistoryItem } from '../types.ts'
import { undoSlot } from './slot.ts'
import { useAddedSlot, useOverrideSlot } from './use-slots.ts'

/** Whether it is about a rule set that was added at run time. */
export const isOfSet = ({ action }: Pick<HistoryItem, 'action'>): boolean =>
  action === 'limits.setRuleSet' || action === 'limits.removeRuleSet'

/** Only the last change of a place can be undone: what came before it was replaced. */
export function HistoryLine({ item, isLast }: { item: HistoryItem; isLast: boolean }) {
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
