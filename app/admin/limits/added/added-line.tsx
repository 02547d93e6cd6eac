'use client'

import { Pencil, X } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { useErrorText } from '#app/limits/use-error-text.ts'
import { Button } from '#app/ui/button.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Tag } from '#app/ui/tag.tsx'
import type { AddedSetItem } from '../types.ts'
import { useAddedSets } from './use-added-sets.ts'

interface Props {
  item: AddedSetItem
  /** Null for viewers who may not change limits. */
  onEdit: ((item: AddedSetItem) => void) | null
}

/** Who added a rule set and why, with what can be done about it. */
export function AddedLine({ item, onEdit }: Props) {
  const t = useTranslations('adminAdded')
  const tLimits = useTranslations('adminLimits')
  const sayError = useErrorText()
  const { remove } = useAddedSets()
  const { name, procedure, set, problem, note, changedAt, changedBy } = item
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2 rounded-md border border-line bg-surface px-3 py-2.5 text-sm">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium break-all">{t('line', { name, procedure })}</span>
          {problem && <Tag tone="danger">{tLimits('notInEffect')}</Tag>}
        </p>
        {problem && <p className="text-danger">{sayError(problem) ?? problem.code}</p>}
        {set?.mode === 'shadow' && !problem && <p>{t('inShadow')}</p>}
        {note && <p className="break-words">“{note}”</p>}
        <p className="figures text-ink-soft">
          {t.rich('change', { username: changedBy, date: () => <LocalDate iso={changedAt} time /> })}
        </p>
      </div>
      {onEdit && (
        <div className="flex gap-1">
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
            <X size={15} /> {t('remove')}
          </Button>
        </div>
      )}
    </div>
  )
}
