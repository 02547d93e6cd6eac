import { z } from 'zod'
import { toActor } from '#server/audit/audit.ts'
import { noteSchema } from '#server/audit/note.ts'
import { invalid } from '#server/errors/invalid.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { periods, units } from './budget.ts'
import { budgetChange } from './limits.ts'
import { writeBudget } from './spending-terms.ts'

const input = z
  .strictObject({
    period: z.enum(periods),
    unit: z.enum(units),
    /** Requests, bytes or nanos; null for no budget. */
    limit: z.int().min(0).nullable(),
    note: noteSchema.optional(),
  })
  .refine(({ period, unit }) => (period === 'standing') === (unit === 'stored'), invalid('budgetPeriod'))

/** Sets, changes or removes a budget. It applies from the next lease of each process on. */
export const setBudget = superadminProcedure
  .meta({ limits: budgetChange, audit: 'budget.set', proof: 'fresh' })
  .input(input)
  .mutation(async ({ ctx, input }): Promise<Record<string, never>> => {
    await writeBudget(ctx.app.db, toActor(ctx), { ...input, note: input.note ?? null })
    ctx.app.budgets.changed()
    return {}
  })
