import { z } from 'zod'
import { invalid } from '#server/errors/invalid.ts'
import type { OverrideTarget as LimiterTarget } from '#server/limits/rules/compiled.ts'
import { parseSubject } from '../subject-key.ts'

/** The name of a rule set, or the path of a procedure that declares one without a name. */
export const ruleSetSchema = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, invalid('ruleSet'))

/** A subject in any notation, normalized to that of the limiter's keys. */
export const subjectSchema = z
  .string()
  .max(100)
  .transform((text, ctx) => {
    const subject = parseSubject(text.trim())
    if (subject) return subject.key
    ctx.addIssue(invalid('subject'))
    return z.NEVER
  })

/** The value of an argument that a rule set counts, in text as callers send it. */
const valueSchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}*$/u)

/** What an override applies to. A trial applies to nobody: its rules are asked beside those in force. Superadmins are unlimited, so there is no target for their role. The value of an argument, whoever
 *  sends it, can only be blocked. */
export const targetSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('all') }),
  z.strictObject({ kind: z.literal('role'), role: z.enum(['guest', 'user', 'admin']) }),
  z.strictObject({ kind: z.literal('subject'), subject: subjectSchema }),
  z.strictObject({ kind: z.literal('argument'), value: valueSchema }),
  z.strictObject({ kind: z.literal('trial') }),
])

export type OverrideTarget = z.output<typeof targetSchema>

/** Returns a target as stored: 'all', 'role/guest', 'subject/192.0.2.1', 'argument/summer' or 'trial'. */
export function targetText(target: OverrideTarget): string {
  if (target.kind === 'role') return `role/${target.role}`
  if (target.kind === 'argument') return `argument/${target.value}`
  return target.kind === 'subject' ? `subject/${target.subject}` : target.kind
}

/** Parses a stored target; null if another version of the code may have written it. */
export function parseTarget(text: string): OverrideTarget | null {
  const [, kind, named] = /^(role|subject|argument)\/(.+)$/.exec(text) ?? [null, text]
  const field = kind === 'argument' ? 'value' : kind
  return targetSchema.safeParse({ kind, ...(field && named && { [field]: named }) }).data ?? null
}

/** The path of a procedure or the label of a route, which is part of a stored target. */
export const procedureSchema = z.string().regex(/^[A-Za-z0-9 ().$_-]{1,100}$/, invalid('procedure'))

/** Where an override applies: in all that declares the rule set, or in one procedure or route; and for whom. */
export interface OverridePlace {
  readonly procedure?: string | undefined
  readonly target: OverrideTarget
}

/** Returns a place as stored: a target, or 'procedure/image.list/' before one. */
export const placeText = ({ procedure, target }: OverridePlace): string =>
  procedure === undefined ? targetText(target) : `procedure/${procedure}/${targetText(target)}`

/** Parses a stored place; null if another version of the code may have written it. */
export function parsePlace(text: string): OverridePlace | null {
  const [, procedure, rest = text] = /^procedure\/([^/]+)\/(.+)$/.exec(text) ?? []
  const target = parseTarget(rest)
  return target && { target, ...(procedure !== undefined && { procedure }) }
}

/** Converts a target from the limiter's form. */
export function shownTarget(target: LimiterTarget): OverrideTarget {
  if (target === 'all') return { kind: 'all' }
  if ('argument' in target) return { kind: 'argument', value: target.argument }
  return 'role' in target
    ? targetSchema.parse({ kind: 'role', role: target.role })
    : { kind: 'subject', subject: target.subject }
}

/** Converts a target to the limiter's form. That of a trial is all. */
export function limiterTarget(target: OverrideTarget): LimiterTarget {
  if (target.kind === 'role') return { role: target.role }
  if (target.kind === 'argument') return { argument: target.value }
  return target.kind === 'subject' ? { subject: target.subject } : 'all'
}
