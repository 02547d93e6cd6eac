'use client'

import { Check, Pencil, X } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { useErrorText } from '#app/limits/use-error-text.ts'
import { Button } from '#app/ui/button.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import type { AddedSetItem } from '../types.ts'
import { triedBy } from './added-draft.ts'
import { useAddedSets } from './use-added-sets.ts'
import { useApply } from './use-apply.ts'

interface Props {
  item: AddedSetItem
  /** Null for viewers who may not change limits. */
  onEdit: ((item: AddedSetItem) => void) | null
  /** The calls that shadow mode has let pass since the processes began. */
  shadowed: number
}

/** Who added a rule set and why, with what can be done about it. */
export function AddedLine({ item, onEdit, shadowed }: Props) {
  const t = useTranslations('adminAdded')
  const tLimits = useTranslations('adminLimits')
  const sayError = useErrorText()
  const { remove } = useAddedSets()
  const format = useFormat()
  const { name, procedure, set, problem, note, changedAt, changedBy } = item
  const tried = triedBy(name)
  const isInShadow = set?.mode === 'shadow' && !problem
  const apply = useApply(item, tried)
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2 rounded-md border border-line bg-surface px-3 py-2.5 text-sm">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium break-all">{t('line', { name, procedure })}</span>
          {problem && <Tag tone="danger">{tLimits('notInEffect')}</Tag>}
        </p>
        {problem && <p className="text-danger">{sayError(problem) ?? problem.code}</p>}
        {isInShadow && (
          <p className="figures">
            {format.sentences([
              t(tried === null ? 'inShadow' : 'trying', { ruleSet: tried ?? '' }),
              t('soFar', { count: shadowed }),
            ])}
          </p>
        )}
        {note && <p className="break-words">“{note}”</p>}
        <p className="figures text-ink-soft">
          {t.rich('change', { username: changedBy, date: () => <LocalDate iso={changedAt} time /> })}
        </p>
      </div>
      {onEdit && (
        <div className="flex flex-wrap gap-1">
          {isInShadow && (
            <Button size="small" isPending={apply.isPending} onPress={() => apply.mutate()}>
              <Check size={15} /> {t(tried === null ? 'enforce' : 'makeRules')}
            </Button>
          )}
          {set && (
            <Button tone="quiet" size="small" aria-label={t('editLabel', { name })} onPress={() => onEdit(item)}>
              <Pencil size={15} /> {t('edit')}
            </Button>
          )}
          <Button
            tone="quiet"
            size="small"
            aria-label={t('removeLabel', { name })}
            onPress={() => void remove({ name, procedure }, item)}
          >
            <X size={15} /> {t(tried === null ? 'remove' : 'endTrial')}
          </Button>
        </div>
      )}
    </div>
  )
}

interface BrokenProps {
  added: readonly AddedSetItem[]
  onEdit: ((item: AddedSetItem) => void) | null
}

/** The added rule sets that are not in effect, and so not among the others. */
export function BrokenSets({ added, onEdit }: BrokenProps) {
  const t = useTranslations('adminAdded')
  const broken = added.filter(({ problem }) => problem)
  return (
    <section aria-label={t('notInEffect')} className="mt-4 flex flex-col gap-2">
      <h3 className="text-sm font-semibold">{t('notInEffect')}</h3>
      {broken.map((item) => (
        <AddedLine key={item.name} item={item} onEdit={onEdit} shadowed={0} />
      ))}
    </section>
  )
}
