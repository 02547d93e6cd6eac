'use client'

import { useTranslations } from 'use-intl/react'
import { Segments } from '#app/ui/segments.tsx'
import { Select } from '#app/ui/select.tsx'
import type { ChosenTarget } from '../places.ts'
import { SubjectField } from '../subjects/subject-field.tsx'
import { targetName } from '../terms-text.ts'
import type { RuleSetItem } from '../types.ts'
import type { OverrideForm } from './use-override-form.ts'

const kinds = ['all', 'role', 'subject'] as const
const roles = ['guest', 'user', 'admin'] as const satisfies readonly ChosenTarget['role'][]

interface Props {
  set: RuleSetItem
  form: OverrideForm
  isChecked: boolean
}

/** Whom and what an override is for. */
export function TargetFields({ set, form, isChecked }: Props) {
  const t = useTranslations('adminOverrides')
  const tLimits = useTranslations('adminLimits')
  const { chosen, choose, known, isConflict } = form
  const possible = kinds.filter((kind) => set.targets.includes(kind))
  return (
    <>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <span className="text-sm font-medium">{t('appliesTo')}</span>
          <Segments<ChosenTarget['kind']>
            label={t('appliesTo')}
            value={chosen.kind}
            options={possible.map((value) => ({ value, label: t(`kind.${value}`) }))}
            onChange={(kind) => choose({ ...chosen, kind })}
          />
        </div>
        {(set.usedBy.length > 1 || chosen.procedure) && <ProcedureField set={set} form={form} />}
        {chosen.kind === 'role' && (
          <Select
            label={t('role')}
            value={chosen.role}
            options={roles.map((value) => ({ value, label: t(`roles.${value}`) }))}
            onChange={(role) => choose({ ...chosen, role })}
          />
        )}
        {chosen.kind === 'subject' && (
          <SubjectField
            subject={chosen.subject}
            name={chosen.subjectName}
            onChange={(subject, subjectName) => choose({ ...chosen, subject, subjectName })}
            isChecked={isChecked}
          />
        )}
      </div>
      {known && !isConflict && (
        <p className="text-sm text-ink-soft">
          {t('replaces', { target: targetName(tLimits, known.target, known.subjectName, known.procedure) })}
        </p>
      )}
    </>
  )
}

/** All procedures and routes that share the set, or one of them. */
function ProcedureField({ set, form: { chosen, choose } }: Omit<Props, 'isChecked'>) {
  const t = useTranslations('adminOverrides')
  return (
    <div className="flex flex-col gap-1.5">
      <Select
        label={t('procedure')}
        value={chosen.procedure ?? ''}
        options={[{ value: '', label: t('everyProcedure') }, ...set.usedBy.map((value) => ({ value, label: value }))]}
        onChange={(procedure) => choose({ ...chosen, procedure: procedure || undefined })}
      />
      {chosen.procedure && <p className="text-sm text-ink-soft">{t('procedureHint')}</p>}
    </div>
  )
}
