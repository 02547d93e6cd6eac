import { z } from 'zod'
import type { OverrideTarget as LimiterTarget } from '#server/limits/overrides.ts'

/** A subject as the limiter's keys spell it (server/limits/subject.ts). */
export const subjectSchema = z
  .string()
  .regex(
    /^([A-Za-z0-9.:/_-]{1,64}|#[A-Za-z0-9_-]{22})$/,
    'must be a subject: a user’s id, an address, or both as address:id',
  )

/** Whose calls an override is for. A superadmin has no limits, so there is none for that role. */
export const targetSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('all') }),
  z.strictObject({ kind: z.literal('role'), role: z.enum(['guest', 'user', 'admin']) }),
  z.strictObject({ kind: z.literal('subject'), subject: subjectSchema }),
])

export type OverrideTarget = z.output<typeof targetSchema>

/** A target as the database names it: 'all', 'role/guest' or 'subject/192.0.2.1'. */
export function targetText(target: OverrideTarget): string {
  if (target.kind === 'all') return 'all'
  return target.kind === 'role' ? `role/${target.role}` : `subject/${target.subject}`
}

/** The target of such a name; null for what is none. */
export function parseTarget(text: string): OverrideTarget | null {
  const [, kind, rest] = /^(all|role|subject)(?:\/(.+))?$/.exec(text) ?? []
  const parsed = targetSchema.safeParse(
    kind === 'role' ? { kind, role: rest } : kind === 'subject' ? { kind, subject: rest } : { kind },
  )
  return parsed.success && targetText(parsed.data) === text ? parsed.data : null
}

/** As the limiter names it. */
export function limiterTarget(target: OverrideTarget): LimiterTarget {
  if (target.kind === 'all') return 'all'
  return target.kind === 'role' ? { role: target.role } : { subject: target.subject }
}
