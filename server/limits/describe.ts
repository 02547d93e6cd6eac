import { formatRule, type RuleParts } from '#format/rules.ts'
import type { Decision, RuleReport } from './decision.ts'

/** What a refused call's error carries in `data.limit`: the content of its rate limit headers, for answers that
 *  send their headers before the call is decided. */
export interface RefusalData {
  readonly ruleSet: string
  readonly policy: string
  /** The rule in English: '100 per minute', or that every call is refused while the store fails. */
  readonly rule: string
  /** The same for other languages: null while the store fails. */
  readonly parts: RuleParts | null
  readonly limit: number
  readonly windowMs: number
  readonly retryAfterMs: number
  /** Milliseconds that the call waited before it was refused. */
  readonly waitedMs: number
  /** The state of every rule in enforce or degrade mode, as in the RateLimit headers. */
  readonly rules: readonly Pick<RuleReport, 'policy' | 'unit' | 'limit' | 'windowMs' | 'remaining' | 'resetMs'>[]
}

/** Returns the refusing rule and the wait; null for a decision that allows. */
export function refusalOf({ refusedBy, retryAfterMs, waitedMs, rules, decidedBy }: Decision): RefusalData | null {
  if (!refusedBy) return null
  const { ruleSet, policy, limit, windowMs } = refusedBy
  const parts = decidedBy === 'policy' ? null : refusedBy.parts
  const rule = parts ? formatRule(parts, 'en') : 'nothing while its store does not answer'
  return { ruleSet, policy, rule, parts, limit, windowMs, retryAfterMs, waitedMs, rules: rules.map(standingOf) }
}

function standingOf({ policy, unit, limit, windowMs, remaining, resetMs }: RuleReport): RefusalData['rules'][number] {
  return { policy, unit, limit, windowMs, remaining, resetMs }
}
