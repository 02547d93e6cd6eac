import { z } from 'zod'
import { toActor } from '#server/audit/audit.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { limitAdminChange } from '../limits.ts'
import { writeOverride } from './override-rows.ts'
import { placeText, procedureSchema, ruleSetSchema, targetSchema } from './override-target.ts'

const input = z.strictObject({
  ruleSet: ruleSetSchema,
  procedure: procedureSchema.optional(),
  target: targetSchema,
})

/** Removes an override, so that a more general one or the declared rules apply. Idempotent. */
export const clearOverride = superadminProcedure
  .meta({ limits: limitAdminChange, audit: 'limits.clear', proof: 'fresh' })
  .input(input)
  .mutation(async ({ ctx, input }): Promise<Record<string, never>> => {
    const { ruleSet } = input
    await writeOverride(ctx.app.db, toActor(ctx), { ruleSet, place: placeText(input), to: null })
    await ctx.app.limitAdmin.overrides.announce()
    return {}
  })
