'use client'

import { useTranslations } from 'use-intl/react'
import { Segments } from '#app/ui/segments.tsx'
import { Select } from '#app/ui/select.tsx'
import { SubjectField } from '../subjects/subject-field.tsx'
import type { OverrideTarget } from '../types.ts'

type Role = Extract<OverrideTarget, { kind: 'role' }>['role']

/** The chosen target of an override: each kind keeps its own choice. */
export interface ChosenTarget {
  readonly kind: OverrideTarget['kind']
  readonly role: Role
  /** Null until one is chosen. */
  readonly subject: string | null
  readonly subjectName: string | null
}

export const everyoneChosen: ChosenTarget = { kind: 'all', role: 'user', subject: null, subjectName: null }

/** Returns the initial choice for a target. */
export function toChosenTarget(target: OverrideTarget, subjectName: string | null): ChosenTarget {
  if (target.kind === 'all') return everyoneChosen
  if (target.kind === 'role') return { ...everyoneChosen, kind: 'role', role: target.role }
  return { ...everyoneChosen, kind: 'subject', subject: target.subject, subjectName }
}

/** Returns the chosen target; null while the subject is missing. */
export function toTarget({ kind, role, subject }: ChosenTarget): OverrideTarget | null {
  if (kind === 'role') return { kind, role }
  if (kind === 'all') return { kind }
  return subject === null ? null : { kind, subject }
}

const kinds = ['all', 'role', 'subject'] as const
const roles = ['guest', 'user', 'admin'] as const satisfies readonly Role[]

interface Props {
  possible: readonly OverrideTarget['kind'][]
  chosen: ChosenTarget
  onChange: (chosen: ChosenTarget) => void
  isChecked: boolean
}

/** The target of an override. */
export function TargetFields({ possible, chosen, onChange, isChecked }: Props) {
  const t = useTranslations('adminOverrides')
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="text-sm font-medium">{t('appliesTo')}</span>
        <Segments
          label={t('appliesTo')}
          value={chosen.kind}
          options={kinds
            .filter((kind) => possible.includes(kind))
            .map((value) => ({ value, label: t(`kind.${value}`) }))}
          onChange={(kind) => onChange({ ...chosen, kind })}
        />
      </div>
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
