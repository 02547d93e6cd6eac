import { z } from 'zod'
import { toActor } from '#server/audit/audit.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { limitAdminChange } from '../limits.ts'
import { writeOverride } from '../overrides/override-rows.ts'
import { procedureSchema, ruleSetSchema } from '../overrides/override-target.ts'
import { addedPlace } from './added-set.ts'

/** Removes a rule set that was added at run time. Its overrides stay, and hold again if it is added again. Idempotent. */
export const removeRuleSet = superadminProcedure
  .meta({ limits: limitAdminChange, audit: 'limits.removeRuleSet', proof: 'fresh' })
  .input(z.strictObject({ name: ruleSetSchema, procedure: procedureSchema }))
  .mutation(async ({ ctx, input: { name: ruleSet, procedure } }): Promise<Record<string, never>> => {
    await writeOverride(ctx.app.db, toActor(ctx), { ruleSet, place: addedPlace(procedure), to: null })
    await ctx.app.limitAdmin.overrides.announce()
    return {}
  })
