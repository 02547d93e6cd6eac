import { z } from 'zod'
import { superadminProcedure } from '#server/trpc/init.ts'
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
  readonly subject: ShownSubject
  readonly rules: readonly (Omit<KeptRefusal['rules'][number], 'argument'> & {
    readonly argument: ShownArgument | null
  })[]
}

/** Returns why a request was refused, as it was decided: each of its refused calls, the oldest first; none if the request was not
 *  refused, or by now too many others were. */
export const readRefusal = superadminProcedure
  .meta({ limits: limitAdminView })
  .input(input)
  .query(async ({ ctx, input }): Promise<readonly ReadRefusal[]> => {
    const { db, limitAdmin, config } = ctx.app
    const refusals = await limitAdmin.refusals.find(input.requestId)
    const subjects = refusals.map(({ subject }) => subject)
    const nameSubject = await createSubjectNamer(db, subjects, ctx.viewer)
    const counts = refusals.flatMap(({ rules }) => rules)
    const things = await loadThings(db, config.origin, counts)
    const nameArgument = createArgumentNamer(limitAdmin.catalogue, things, ctx.viewer)
    return refusals.map(({ rules, ...refusal }) => ({
      ...refusal,
      subject: nameSubject(refusal.subject),
      rules: rules.map((rule) => ({ ...rule, argument: nameArgument(rule) })),
    }))
  })
