import type { OverrideTarget } from '../types.ts'

type Role = Extract<OverrideTarget, { kind: 'role' }>['role']

/** The chosen target of an override: each kind keeps its own choice. */
export interface ChosenTarget {
  readonly kind: OverrideTarget['kind']
  readonly role: Role
  /** Null until one is chosen. */
  readonly subject: string | null
  readonly subjectName: string | null
  /** The only procedure or route; undefined for all that use the set. */
  readonly procedure?: string | undefined
}

export const everyoneChosen: ChosenTarget = { kind: 'all', role: 'user', subject: null, subjectName: null }

/** Returns the initial choice for a target. */
export function toChosenTarget(
  target: OverrideTarget,
  subjectName: string | null,
  procedure?: string | undefined,
): ChosenTarget {
  const chosen = { ...everyoneChosen, procedure }
  if (target.kind === 'all') return chosen
  if (target.kind === 'role') return { ...chosen, kind: 'role', role: target.role }
  return { ...chosen, kind: 'subject', subject: target.subject, subjectName }
}

/** Returns the chosen target; null while the subject is missing. */
export function toTarget({ kind, role, subject }: ChosenTarget): OverrideTarget | null {
  if (kind === 'role') return { kind, role }
  if (kind === 'all') return { kind }
  return subject === null ? null : { kind, subject }
}
