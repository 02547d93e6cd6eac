import { z } from 'zod'
import { superadminProcedure } from '#server/trpc/init.ts'
import { operationsView } from './limits.ts'
import type { OverrideTarget } from './override-target.ts'
import type { OverrideTerms } from './override-terms.ts'

const input = z.strictObject({
  ruleSet: z.string().max(64).optional(),
  /** The last entry's id. */
  cursor: z
    .string()
    .regex(/^[1-9]\d{0,17}$/)
    .optional(),
  limit: z.int().min(1).max(100).default(30),
})

export interface HistoryItem {
  readonly id: string
  /** ISO 8601. */
  readonly at: string
  /** Who did it, by the name they had. */
  readonly actor: string
  readonly action: 'limits.override' | 'limits.clear' | 'limits.reset'
  readonly ruleSet: string
  readonly target: OverrideTarget
  readonly subjectName: string | null
  /** The terms that held before, and afterwards; null for none. */
  readonly before: OverrideTerms | null
  readonly after: OverrideTerms | null
  readonly note: string | null
}

export interface HistoryPage {
  readonly items: readonly HistoryItem[]
  readonly nextCursor: string | null
}

/** What was changed, newest first. */
export const readHistory = superadminProcedure
  .meta({ limits: operationsView })
  .input(input.prefault({}))
  .query(async (): Promise<HistoryPage> => ({ items: [], nextCursor: null }))
