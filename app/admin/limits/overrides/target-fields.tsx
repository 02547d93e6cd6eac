'use client'

import { Segments } from '#app/ui/segments.tsx'
import { Select } from '#app/ui/select.tsx'
import { SubjectField } from '../subjects/subject-field.tsx'
import type { OverrideTarget } from '../types.ts'

type Role = Extract<OverrideTarget, { kind: 'role' }>['role']

/** Whom an override is to be for, while it is chosen: each kind keeps what was said for it. */
export interface ChosenTarget {
  readonly kind: OverrideTarget['kind']
  readonly role: Role
  /** Null until somebody is named. */
  readonly subject: string | null
  readonly subjectName: string | null
}

export const nobodyChosen: ChosenTarget = { kind: 'all', role: 'user', subject: null, subjectName: null }

/** A target to begin with. */
export function chosenOf(target: OverrideTarget, subjectName: string | null): ChosenTarget {
  if (target.kind === 'all') return nobodyChosen
  if (target.kind === 'role') return { ...nobodyChosen, kind: 'role', role: target.role }
  return { ...nobodyChosen, kind: 'subject', subject: target.subject, subjectName }
}

/** The target that was chosen; null while a subject is to be named. */
export function targetOf({ kind, role, subject }: ChosenTarget): OverrideTarget | null {
  if (kind === 'role') return { kind, role }
  if (kind === 'all') return { kind }
  return subject === null ? null : { kind, subject }
}

const kinds = [
  { value: 'all', label: 'Everybody' },
  { value: 'role', label: 'A role' },
  { value: 'subject', label: 'One subject' },
] as const

const roles = [
  { value: 'guest', label: 'Guests' },
  { value: 'user', label: 'Users' },
  { value: 'admin', label: 'Admins' },
] as const satisfies readonly { value: Role; label: string }[]

interface Props {
  possible: readonly OverrideTarget['kind'][]
  chosen: ChosenTarget
  onChange: (chosen: ChosenTarget) => void
  isChecked: boolean
}

/** For whom: the exact goes before the general. */
export function TargetFields({ possible, chosen, onChange, isChecked }: Props) {
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="text-sm font-medium">For</span>
        <Segments
          label="For whom"
          value={chosen.kind}
          options={kinds.filter(({ value }) => possible.includes(value))}
          onChange={(kind) => onChange({ ...chosen, kind })}
        />
      </div>
      {chosen.kind === 'role' && (
        <Select label="Role" value={chosen.role} options={roles} onChange={(role) => onChange({ ...chosen, role })} />
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
