import type { Decision, RuleReport } from './decision.ts'

/** What a refused call's error carries in `data.limit`: all that its headers would tell, for answers whose headers are gone
 *  before the call is decided. */
export interface RefusalData {
  readonly ruleSet: string
  readonly policy: string
  /** The rule in words: '100 per minute', or that nothing passes while the store fails. */
  readonly rule: string
  readonly limit: number
  readonly windowMs: number
  readonly retryAfterMs: number
  /** Milliseconds that the call was held before it was refused. */
  readonly waitedMs: number
  /** How every rule that enforces or degrades stands, as in the RateLimit headers. */
  readonly rules: readonly RuleStanding[]
}

type RuleStanding = Pick<RuleReport, 'policy' | 'unit' | 'limit' | 'windowMs' | 'remaining' | 'resetMs'>

/** '1 second', '45 seconds', '3 minutes', '2 hours', '31 days': never shorter than the wait. */
export function describeWait(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000))
  if (seconds < 120) return counted(seconds, 'second')
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 120) return counted(minutes, 'minute')
  const hours = Math.ceil(minutes / 60)
  return hours < 48 ? counted(hours, 'hour') : counted(Math.ceil(hours / 24), 'day')
}

/** The refusing rule and the wait; null for a decision that allows. */
export function refusalOf({ refusedBy, retryAfterMs, waitedMs, rules, decidedBy }: Decision): RefusalData | null {
  if (!refusedBy) return null
  const { ruleSet, policy, limit, windowMs } = refusedBy
  const rule = decidedBy === 'policy' ? 'nothing while its store does not answer' : refusedBy.words
  return { ruleSet, policy, rule, limit, windowMs, retryAfterMs, waitedMs, rules: rules.map(standingOf) }
}

function standingOf({ policy, unit, limit, windowMs, remaining, resetMs }: RuleReport): RuleStanding {
  return { policy, unit, limit, windowMs, remaining, resetMs }
}

/** A refusal as a sentence for people: which rule, and how long to wait. */
export function refusalMessage(refusal: RefusalData): string {
  return `Too many requests: ${refusal.ruleSet} allows ${refusal.rule}. Try again in ${describeWait(refusal.retryAfterMs)}.`
}

function counted(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`
}
