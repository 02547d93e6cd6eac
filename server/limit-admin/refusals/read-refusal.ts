import { z } from 'zod'
import { superadminProcedure } from '#server/trpc/init.ts'
import { limitAdminView } from '../limits.ts'
import { createSubjectNamer, type ShownSubject } from '../shown-subject.ts'
import type { KeptRefusal } from './kept-refusal.ts'

const input = z.strictObject({
  /** As refused people see it, and as in the X-Request-Id header of the answer. */
  requestId: z.string().trim().min(1).max(128),
})

export interface ReadRefusal extends Omit<KeptRefusal, 'subject'> {
  readonly subject: ShownSubject
}

/** Returns why a request was refused, as it was decided: each of its refused calls, the oldest first; none if the request was not
 *  refused, or by now too many others were. */
export const readRefusal = superadminProcedure
  .meta({ limits: limitAdminView })
  .input(input)
  .query(async ({ ctx, input }): Promise<readonly ReadRefusal[]> => {
    const refusals = await ctx.app.limitAdmin.refusals.find(input.requestId)
    const subjects = refusals.map(({ subject }) => subject)
    const nameSubject = await createSubjectNamer(ctx.app.db, subjects, ctx.viewer)
    return refusals.map((refusal) => ({ ...refusal, subject: nameSubject(refusal.subject) }))
  })
