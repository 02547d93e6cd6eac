import { z } from 'zod'
import { actorOf } from '#server/audit/audit.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { limitAdminChange } from './limits.ts'
import { writeOverride } from './override-rows.ts'
import { ruleSetSchema, targetSchema } from './override-target.ts'

const input = z.strictObject({ ruleSet: ruleSetSchema, target: targetSchema })

/** What the code declares holds again, or what a more general override says. Done twice it changes nothing more. */
export const clearOverride = superadminProcedure
  .meta({ limits: limitAdminChange })
  .input(input)
  .mutation(async ({ ctx, input }): Promise<Record<string, never>> => {
    await writeOverride(ctx.app.db, actorOf(ctx), { ...input, to: null })
    await ctx.app.limitAdmin.overrides.announce()
    return {}
  })
