import type { Decision } from './decision.ts'

/** What a refused call's error carries in `data.limit`. */
export interface RefusalData {
  readonly ruleSet: string
  readonly policy: string
  /** The rule in words: '100 per minute', or that nothing passes while the store fails. */
  readonly rule: string
  readonly limit: number
  readonly windowMs: number
  readonly retryAfterMs: number
}

/** '1 second', '45 seconds', '3 minutes', '2 hours': never shorter than the wait. */
export function describeWait(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000))
  if (seconds < 120) return counted(seconds, 'second')
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? counted(minutes, 'minute') : counted(Math.ceil(minutes / 60), 'hour')
}

/** The refusing rule and the wait; null for a decision that allows. */
export function refusalOf({ refusedBy, retryAfterMs, decidedBy }: Decision): RefusalData | null {
  if (!refusedBy) return null
  const { ruleSet, policy, limit, windowMs } = refusedBy
  const rule = decidedBy === 'policy' ? 'nothing while its store does not answer' : refusedBy.words
  return { ruleSet, policy, rule, limit, windowMs, retryAfterMs }
}

/** A refusal as a sentence for people: which rule, and how long to wait. */
export function refusalMessage(refusal: RefusalData): string {
  return `Too many requests: ${refusal.ruleSet} allows ${refusal.rule}. Try again in ${describeWait(refusal.retryAfterMs)}.`
}

function counted(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`
}
