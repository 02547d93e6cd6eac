'use client'

import { useTranslations } from 'use-intl/react'
import { useFormat } from '#app/ui/use-format.ts'
import { EntryLine } from '../changes/entry-line.tsx'
import { clearSlot } from '../changes/slot-changes.ts'
import { useOverrideSlot } from '../changes/use-override-slot.ts'
import { targetName, termsSummary } from '../terms-text.ts'
import type { OverrideItem, RuleSetItem } from '../types.ts'

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
  const slotOf = useOverrideSlot()
  const { procedure, target, subjectName, terms } = override
  const name = targetName(tLimits, target, subjectName, procedure)
  const clear = () => {
    onClear()
    void clearSlot(slotOf({ ruleSet: set.name, procedure, target, subjectName }), override)
  }
  return (
    <li>
      <EntryLine
        name={t('for', { target: name })}
        entry={override}
        edit={onEdit && { label: t('edit'), longLabel: t('editLabel', { target: name }), run: () => onEdit(override) }}
        remove={onEdit && { label: t('clear'), longLabel: t('clearLabel', { target: name }), run: clear }}
      >
        {terms && <p className="figures">{termsSummary(tLimits, format, terms)}</p>}
      </EntryLine>
    </li>
  )
}
