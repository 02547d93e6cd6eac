import { z } from 'zod'
import { superadminProcedure } from '#server/trpc/init.ts'
import { subjectOfCount } from '../counted-key.ts'
import { limitAdminView } from '../limits.ts'
import { loadThings, type ShownArgument } from '../named-things.ts'
import { createArgumentNamer } from '../shown-argument.ts'
import { createSubjectNamer, type ShownSubject } from '../shown-subject.ts'
import type { KeptRefusal } from './kept-refusal.ts'

const input = z.strictObject({
  /** As refused people see it, and as in the X-Request-Id header of the answer. */
  requestId: z.string().trim().min(1).max(128),
})

export interface ReadRefusal extends Omit<KeptRefusal, 'subject' | 'rules'> {
  /** Whose call it was, or whom the refusing rule counts if no rule tells. */
  readonly subject: ShownSubject
  readonly rules: readonly (Omit<KeptRefusal['rules'][number], 'argument'> & {
    readonly subject: ShownSubject
    readonly argument: ShownArgument | null
  })[]
}

/** What a caller is counted as, rather than with others or by what was sent. */
const CALLERS: ReadonlySet<ShownSubject['kind']> = new Set(['user', 'shared', 'token', 'address'])

/** Returns why a request was refused, as it was decided: each of its refused calls, the oldest first; none if the request was not
 *  refused, or by now too many others were. */
export const readRefusal = superadminProcedure
  .meta({ limits: limitAdminView })
  .input(input)
  .query(async ({ ctx, input }): Promise<readonly ReadRefusal[]> => {
    const { db, limitAdmin, config } = ctx.app
    const refusals = await limitAdmin.refusals.find(input.requestId)
    const counts = refusals.flatMap(({ rules, subject }) => rules.map((rule) => ({ ...rule, subject })))
    const subjects = refusals.map(({ subject }) => subject)
    const nameSubject = await createSubjectNamer(db, [...subjects, ...counts.map(subjectOfCount)], ctx.viewer)
    const things = await loadThings(db, config.origin, counts)
    const nameArgument = createArgumentNamer(limitAdmin.catalogue, things, ctx.viewer)
    return refusals.map(({ subject, ...refusal }) => {
      const rules = refusal.rules.map((rule) => {
        return { ...rule, subject: nameSubject(subjectOfCount({ ...rule, subject })), argument: nameArgument(rule) }
      })
      const caller = rules.find((rule) => CALLERS.has(rule.subject.kind))?.subject
      return { ...refusal, subject: caller ?? nameSubject(subject), rules }
    })
  })
