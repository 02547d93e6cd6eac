import { adminProcedure } from '#server/trpc/init.ts'
import { operationsView } from './limits.ts'
import type { OverrideTarget } from './override-target.ts'
import type { AllTerms, OverrideTerms } from './override-terms.ts'
import type { RuleLine } from './rule-lines.ts'

export interface ProcedureItem {
  /** A procedure's path, or what the figures call a route. */
  readonly path: string
  readonly kind: 'query' | 'mutation' | 'subscription' | 'route'
  readonly ruleSets: readonly string[]
  /** Why a procedure needs no limits, or what a route is. */
  readonly reason: string | null
}

export interface OverrideItem {
  readonly target: OverrideTarget
  /** Of a subject: the name of its user. */
  readonly subjectName: string | null
  readonly terms: OverrideTerms | null
  /** What holds; null while it does not, for its problem. */
  readonly rules: readonly RuleLine[] | null
  readonly problem: string | null
  readonly note: string | null
  /** ISO 8601. */
  readonly changedAt: string
  readonly changedBy: string | null
}

export interface RuleSetItem {
  readonly name: string
  /** Whom it counts, in words. */
  readonly by: string
  readonly unit: 'calls' | 'bytes'
  readonly count: 'all' | 'failures'
  readonly scope: 'cluster' | 'instance'
  readonly declared: AllTerms
  readonly rules: readonly RuleLine[]
  readonly usedBy: readonly string[]
  /** For whom it can be overridden. */
  readonly targets: readonly OverrideTarget['kind'][]
  readonly overrides: readonly OverrideItem[]
}

export interface LimitsList {
  readonly procedures: readonly ProcedureItem[]
  readonly ruleSets: readonly RuleSetItem[]
}

/** Every procedure and route, the rule sets that code declares for them, and what holds in their place. */
export const listLimits = adminProcedure.meta({ limits: operationsView }).query(async (): Promise<LimitsList> => {
  return { procedures: [], ruleSets: [] }
})
