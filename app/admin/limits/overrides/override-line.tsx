'use client'

import { Pencil, X } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { useErrorText } from '#app/limits/use-error-text.ts'
import { Button } from '#app/ui/button.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { targetName, termsSummary } from '../terms-text.ts'
import type { OverrideItem, RuleSetItem } from '../types.ts'
import { useOverrideActions } from './use-override-actions.ts'

interface Props {
  set: RuleSetItem
  override: OverrideItem
  onEdit: ((override: OverrideItem) => void) | null
  /** Called before the row is removed, and the focused button with it. */
  onClear: () => void
}

/** One override: its target, terms, author and note. */
export function OverrideLine({ set, override, onEdit, onClear }: Props) {
  const t = useTranslations('adminOverrides')
  const tLimits = useTranslations('adminLimits')
  const format = useFormat()
  const { clear } = useOverrideActions()
  const sayError = useErrorText()
  const { procedure, target, subjectName, terms, problem, note, changedAt, changedBy } = override
  const name = targetName(tLimits, target, subjectName, procedure)
  const place = { ruleSet: set.name, procedure, target, subjectName }
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 rounded-md border border-line bg-surface px-3 py-2.5 text-sm">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium break-all">{t('for', { target: name })}</span>
          {problem && <Tag tone="danger">{tLimits('notInEffect')}</Tag>}
        </p>
        {terms && <p className="figures">{termsSummary(tLimits, format, terms)}</p>}
        {problem && <p className="text-danger">{sayError(problem) ?? problem.code}</p>}
        {note && <p className="break-words">“{note}”</p>}
        <p className="figures text-ink-soft">
          {t.rich('change', {
            username: changedBy ?? t('deletedUser'),
            date: () => <LocalDate iso={changedAt} time />,
          })}
        </p>
      </div>
      {onEdit && (
        <div className="flex gap-1">
          <Button
            tone="quiet"
            size="small"
            aria-label={t('editLabel', { target: name })}
            onPress={() => onEdit(override)}
          >
            <Pencil size={15} /> {t('edit')}
          </Button>
          <Button
            tone="quiet"
            size="small"
            aria-label={t('clearLabel', { target: name })}
            onPress={() => {
              onClear()
              void clear(place, override)
            }}
          >
            <X size={15} /> {t('clear')}
          </Button>
        </div>
      )}
    </li>
  )
}
