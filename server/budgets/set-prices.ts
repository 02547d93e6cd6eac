import { z } from 'zod'
import { toActor } from '#server/audit/audit.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { pricesSchema } from './bill/prices.ts'
import { budgetChange } from './limits.ts'
import { writePrices } from './spending-terms.ts'

const input = z.strictObject({
  /** Null restores the provider's published prices. */
  prices: pricesSchema.nullable(),
})

/** Sets the prices. Amounts already counted keep their cost; the next leases use the new prices. */
export const setPrices = superadminProcedure
  .meta({ limits: budgetChange, audit: 'budget.setPrices', proof: 'fresh' })
  .input(input)
  .mutation(async ({ ctx, input }): Promise<Record<string, never>> => {
    await writePrices(ctx.app.db, toActor(ctx), input.prices)
    ctx.app.budgets.changed()
    return {}
  })
