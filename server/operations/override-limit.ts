import { z } from 'zod'
import { superadminProcedure } from '#server/trpc/init.ts'
import { operationsChange } from './limits.ts'
import { targetSchema } from './override-target.ts'
import { termsSchema } from './override-terms.ts'

const input = z.strictObject({
  ruleSet: z.string().max(64),
  target: targetSchema,
  terms: termsSchema,
  note: z
    .string()
    .max(500)
    .regex(/^[^\0]*$/)
    .optional(),
})

/** Puts terms in place of a rule set's own, for all, a role or one subject. Answers what holds but cannot be meant. */
export const overrideLimit = superadminProcedure
  .meta({ limits: operationsChange })
  .input(input)
  .mutation(async (): Promise<{ warnings: readonly string[] }> => ({ warnings: [] }))
