import { z } from 'zod'
import { toActor } from '#server/audit/audit.ts'
import { noteSchema } from '#server/audit/note.ts'
import { refuse, refuseWith } from '#server/errors/refuse.ts'
import type { RuleWarning } from '#server/limits/rules/warnings.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { limitAdminChange } from '../limits.ts'
import { MOST_OVERRIDES, writeOverride } from '../overrides/override-rows.ts'
import { procedureSchema, ruleSetSchema } from '../overrides/override-target.ts'
import { addedPlace, addedSetSchema } from './added-set.ts'

const input = z.strictObject({
  name: ruleSetSchema,
  /** The path of a procedure, or the label of a route. */
  procedure: procedureSchema,
  set: addedSetSchema,
  note: noteSchema.optional(),
  /** Only checks the set: changes nothing. */
  dryRun: z.boolean().default(false),
})

/** Puts a further rule set on a procedure or route, or changes one that was. A new one begins in shadow mode. Returns
 *  warnings about rules that work but are probably a mistake. */
export const setRuleSet = superadminProcedure
  .meta({ limits: limitAdminChange, audit: 'limits.setRuleSet', proof: 'fresh' })
  .input(input)
  .mutation(async ({ ctx, input }): Promise<{ warnings: readonly RuleWarning[] }> => {
    const { name: ruleSet, procedure, set, note = null, dryRun } = input
    const { overrides } = ctx.app.limitAdmin
    await overrides.load()
    const known = overrides.sets.find(({ name }) => name === ruleSet)
    if (known && known.procedure !== procedure) throw refuse('rule-set-exists', { ruleSet })
    if (!known && set.mode !== 'shadow') throw refuse('added-in-shadow', { ruleSet })
    const { problem, warnings } = overrides.checkSet(input)
    if (problem) throw refuseWith(problem)
    if (dryRun) return { warnings }
    const change = { ruleSet, place: addedPlace(procedure), to: { terms: set, note } }
    if (!(await writeOverride(ctx.app.db, toActor(ctx), change)))
      throw refuse('too-many-overrides', { limit: MOST_OVERRIDES })
    await overrides.announce()
    return { warnings }
  })
