'use client'

import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { EntryLine } from '../changes/entry-line.tsx'
import { clearSlot, saveSlot } from '../changes/slot-changes.ts'
import { useOverrideSlot } from '../changes/use-override-slot.ts'
import { overrideAt } from '../places.ts'
import { termsSummary } from '../terms-text.ts'
import type { OverrideItem, RuleSetItem, TrialStats } from '../types.ts'

interface Props {
  set: RuleSetItem
  trial: OverrideItem
  /** What it would have refused; null before it has been asked. */
  stats: TrialStats | null
  /** Null for viewers who may not change limits. */
  onEdit: (() => void) | null
  /** Called before the row is removed, and the focused button with it. */
  onEnd: () => void
}

/** Rules that are tried beside those of a set, and what they would have refused. */
export function TrialLine({ set, trial, stats, onEdit, onEnd }: Props) {
  const t = useTranslations('adminOverrides')
  const tLimits = useTranslations('adminLimits')
  const format = useFormat()
  const slotOf = useOverrideSlot()
  const apply = useApply(set, trial)
  const names = { ruleSet: set.name }
  const end = () => {
    onEnd()
    void clearSlot(slotOf({ ...names, target: trial.target, subjectName: null }), trial)
  }
  return (
    <EntryLine
      name={t('trial.line', { count: set.usedBy.length })}
      entry={trial}
      apply={{ label: t('trial.apply'), isPending: apply.isPending, run: () => apply.mutate() }}
      edit={onEdit && { label: t('edit'), longLabel: t('trial.editLabel', names), run: onEdit }}
      remove={onEdit && { label: t('trial.end'), run: end }}
    >
      {trial.terms && <p className="figures">{termsSummary(tLimits, format, trial.terms)}</p>}
      {!trial.problem && (
        <p className="figures font-medium">
          {stats
            ? t.rich('trial.counts', {
                refused: stats.refused,
                asked: stats.asked,
                since: () => <LocalDate iso={new Date(stats.since).toISOString()} time />,
              })
            : t('trial.nothingYet')}
        </p>
      )}
    </EntryLine>
  )
}

/** Makes the rules in trial those of the set for everyone, and ends the trial. */
function useApply(set: RuleSetItem, trial: OverrideItem) {
  const t = useTranslations('adminOverrides')
  const slotOf = useOverrideSlot()
  const mutation = useMutation({
    mutationFn: async (): Promise<void> => {
      if (!trial.terms) return
      const place = { ruleSet: set.name, target: { kind: 'all' }, subjectName: null } as const
      const shown = overrideAt(set, place)
      const terms = { ...shown?.terms, ...trial.terms }
      const { isSaved } = await saveSlot(slotOf(place), { terms, note: trial.note }, { shown, seen: true })
      if (isSaved) await clearSlot(slotOf({ ...place, target: trial.target }), trial)
    },
    onError: (error) => reportFailure(t('trial.applyFailed', { ruleSet: set.name }), error, () => mutation.mutate()),
  })
  return mutation
}
