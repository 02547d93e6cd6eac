import { z } from 'zod'
import { superadminProcedure } from '#server/trpc/init.ts'
import { operationsChange } from './limits.ts'
import { subjectSchema } from './override-target.ts'

const input = z.strictObject({ ruleSet: z.string().max(64), subject: subjectSchema })

/** Forgets what a subject has used of a rule set. */
export const resetUsage = superadminProcedure
  .meta({ limits: operationsChange })
  .input(input)
  .mutation(async (): Promise<Record<string, never>> => ({}))
