import { z } from 'zod'
import { toActor } from '#server/audit/audit.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { budgetChange } from './limits.ts'
import { writeFreeTier } from './spending-terms.ts'

const input = z.strictObject({ on: z.boolean() })

/** Adds the free allowances of the price table to the budgets, or removes them; of two limits the lower applies. */
export const setFreeTier = superadminProcedure
  .meta({ limits: budgetChange, audit: 'budget.setFreeTier', proof: 'fresh' })
  .input(input)
  .mutation(async ({ ctx, input }): Promise<Record<string, never>> => {
    await writeFreeTier(ctx.app.db, toActor(ctx), input.on)
    ctx.app.budgets.changed()
    return {}
  })
