import { z } from 'zod'
import { toActor } from '#server/audit/audit.ts'
import { noteSchema } from '#server/audit/note.ts'
import { refuse, refuseWith } from '#server/errors/refuse.ts'
import type { RuleWarning } from '#server/limits/rules/warnings.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { limitAdminChange } from '../limits.ts'
import { MOST_OVERRIDES, writeOverride } from './override-rows.ts'
import { overrideWarnings } from './override-rules.ts'
import { placeText, procedureSchema, ruleSetSchema, targetSchema } from './override-target.ts'
import { termsSchema } from './override-terms.ts'

const input = z.strictObject({
  ruleSet: ruleSetSchema,
  /** One procedure or route of those that share the rule set, whose calls then count by themselves. */
  procedure: procedureSchema.optional(),
  target: targetSchema,
  terms: termsSchema,
  note: noteSchema.optional(),
  /** Only checks the terms: changes nothing. */
  dryRun: z.boolean().default(false),
})

/** Overrides a rule set for everyone, a role or one subject, in all procedures that share it or in one. Returns warnings about rules that work but are probably a
 *  mistake. */
export const overrideLimit = superadminProcedure
  .meta({ limits: limitAdminChange, audit: 'limits.override', proof: 'fresh' })
  .input(input)
  .mutation(async ({ ctx, input }): Promise<{ warnings: readonly RuleWarning[] }> => {
    const { ruleSet, terms, note = null, dryRun } = input
    const { catalogue, overrides } = ctx.app.limitAdmin
    const compiled = overrides.compileOverride(input)
    if (compiled.problem !== null) throw refuseWith(compiled.problem)
    const warnings = overrideWarnings(catalogue, input)
    if (dryRun) return { warnings }
    const change = { ruleSet, place: placeText(input), to: { terms, note } }
    if (!(await writeOverride(ctx.app.db, toActor(ctx), change)))
      throw refuse('too-many-overrides', { limit: MOST_OVERRIDES })
    await overrides.announce()
    return { warnings }
  })
