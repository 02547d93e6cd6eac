'use client'

import { useTranslations } from 'use-intl/react'
import { Segments } from '#app/ui/segments.tsx'
import { Select } from '#app/ui/select.tsx'
import type { ChosenTarget } from '../places.ts'
import { SubjectField } from '../subjects/subject-field.tsx'
import type { RuleSetItem } from '../types.ts'

const kinds = ['all', 'role', 'subject'] as const
const roles = ['guest', 'user', 'admin'] as const satisfies readonly ChosenTarget['role'][]

interface Props {
  set: RuleSetItem
  chosen: ChosenTarget
  onChange: (chosen: ChosenTarget) => void
  isChecked: boolean
}

/** The target of an override. */
export function TargetFields({ set, chosen, onChange, isChecked }: Props) {
  const t = useTranslations('adminOverrides')
  const possible = kinds.filter((kind) => set.targets.includes(kind))
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="text-sm font-medium">{t('appliesTo')}</span>
        <Segments<ChosenTarget['kind']>
          label={t('appliesTo')}
          value={chosen.kind}
          options={possible.map((value) => ({ value, label: t(`kind.${value}`) }))}
          onChange={(kind) => onChange({ ...chosen, kind })}
        />
      </div>
      {(set.usedBy.length > 1 || chosen.procedure) && <ProcedureField {...{ set, chosen, onChange }} />}
      {chosen.kind === 'role' && (
        <Select
          label={t('role')}
          value={chosen.role}
          options={roles.map((value) => ({ value, label: t(`roles.${value}`) }))}
          onChange={(role) => onChange({ ...chosen, role })}
        />
      )}
      {chosen.kind === 'subject' && (
        <SubjectField
          subject={chosen.subject}
          name={chosen.subjectName}
          onChange={(subject, subjectName) => onChange({ ...chosen, subject, subjectName })}
          isChecked={isChecked}
        />
      )}
    </div>
  )
}

/** All procedures and routes that share the set, or one of them. */
function ProcedureField({ set, chosen, onChange }: Omit<Props, 'isChecked'>) {
  const t = useTranslations('adminOverrides')
  return (
    <div className="flex flex-col gap-1.5">
      <Select
        label={t('procedure')}
        value={chosen.procedure ?? ''}
        options={[{ value: '', label: t('everyProcedure') }, ...set.usedBy.map((value) => ({ value, label: value }))]}
        onChange={(procedure) => onChange({ ...chosen, procedure: procedure || undefined })}
      />
      {chosen.procedure && <p className="text-sm text-ink-soft">{t('procedureHint')}</p>}
    </div>
  )
}
