import { z } from 'zod'
import { actorOf } from '#server/limit-admin/audit.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { pricesSchema } from './bill/prices.ts'
import { budgetChange } from './limits.ts'
import { writePrices } from './spending-terms.ts'

const input = z.strictObject({
  /** Null for the published prices of the bucket's provider. */
  prices: pricesSchema.nullable(),
})

/** Enters what the provider charges. What is counted already stays as it is; the next leases cost what is entered. */
export const setPrices = superadminProcedure
  .meta({ limits: budgetChange })
  .input(input)
  .mutation(async ({ ctx, input }): Promise<Record<string, never>> => {
    await writePrices(ctx.app.db, actorOf(ctx), input.prices)
    ctx.app.budgets.changed()
    return {}
  })
