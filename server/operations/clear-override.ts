import { z } from 'zod'
import { superadminProcedure } from '#server/trpc/init.ts'
import { operationsChange } from './limits.ts'
import { targetSchema } from './override-target.ts'

const input = z.strictObject({ ruleSet: z.string().max(64), target: targetSchema })

/** What the code declares holds again, or what a more general override says. */
export const clearOverride = superadminProcedure
  .meta({ limits: operationsChange })
  .input(input)
  .mutation(async (): Promise<Record<string, never>> => ({}))
