import { z } from 'zod'
import type { OverrideTarget as LimiterTarget } from '#server/limits/overrides.ts'
import { parseSubject } from './subject-key.ts'

/** A rule set's name, or the path of the procedure that declares one without. */
export const ruleSetSchema = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be the name of a rule set')

/** A subject in any spelling of its address, made that of the limiter's keys. */
export const subjectSchema = z
  .string()
  .max(100)
  .transform((text, ctx) => {
    const subject = parseSubject(text.trim())
    if (subject) return subject.key
    ctx.addIssue('must be a user’s id or an address, both as address:id, or token/id')
    return z.NEVER
  })

/** Whose calls an override is for. Superadmins have no limits, so there is none for their role. */
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

/** The target of such a name; null for what another version of the code may have written. */
export function parseTarget(text: string): OverrideTarget | null {
  const [, kind, named] = /^(role|subject)\/(.+)$/.exec(text) ?? [null, text]
  const target = kind === 'role' ? { kind, role: named } : kind === 'subject' ? { kind, subject: named } : { kind }
  return targetSchema.safeParse(target).data ?? null
}

/** As the limiter names it. */
export function limiterTarget(target: OverrideTarget): LimiterTarget {
  if (target.kind === 'all') return 'all'
  return target.kind === 'role' ? { role: target.role } : { subject: target.subject }
}
