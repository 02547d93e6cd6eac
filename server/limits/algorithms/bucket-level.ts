import type { Bucket, LeakyBucket } from '../rules/compiled.ts'
import { type Answer, passes } from './ledger.ts'

/** A bucket of either kind; only a leaky one may pace. */
export type AnyBucket = Bucket | LeakyBucket

const HALF = 2 ** 17

/** The most units that a bucket holds: forced charges beyond its capacity are a debt of at most one more capacity. */
export function brimOf({ limit, scale }: Bucket): number {
  return 2 * limit * scale
}

/** What a charge adds, in units. */
export function unitsOf(cost: number, { limit, scale }: Bucket): number {
  return Math.min(cost, 2 * limit) * scale
}

/** Milliseconds until that many units have leaked. */
export function leakTime(units: number, { leak }: Bucket): number {
  return Math.ceil(units / leak)
}

/** A level in units of another scale, because the limit was another, as units of the rule's: rounded up to a whole one. What
 *  exceeds the brim may be rounded, but exceeds it still. */
export function convertLevel(level: number, scale: number, rule: Bucket): number {
  if (scale === rule.scale) return level
  return Math.floor(level / scale) * rule.scale + ratio(level % scale, rule.scale, scale)
}

/** amount * factor / divisor, rounded up, where amount < divisor. Scales divide a window in milliseconds, so all are below
 *  2^35; their product is not below 2^53, and is made in two parts that are. */
function ratio(amount: number, factor: number, divisor: number): number {
  const high = Math.floor(factor / HALF)
  const low = factor % HALF
  const whole = Math.floor((amount * high) / divisor)
  const rest = (amount * high) % divisor
  return whole * HALF + Math.ceil((rest * HALF + amount * low) / divisor)
}

/** The permits that a rule has left at a level. */
export function remainingAt(level: number, { limit, scale }: Bucket): number {
  return Math.max(0, Math.floor((limit * scale - level) / scale))
}

/** Milliseconds until a rule has one permit more, `lateMs` before the time that counts. */
export function resetAt(level: number, rule: Bucket, lateMs: number): number {
  if (level === 0) return 0
  const { limit, scale } = rule
  return leakTime((remainingAt(level, rule) + 1) * scale - (limit * scale - level), rule) + lateMs
}

/** What a rule answers to a charge that finds a level. */
export function answerAt(rule: AnyBucket, level: number, charged: number, lateMs: number): Answer {
  const answer = passes(remainingAt(level, rule), resetAt(level, rule, lateMs))
  // For a cost above the capacity it may be rounded, and is positive at any level; such a wait promises nothing.
  const excess = level - (rule.limit * rule.scale - charged)
  answer.waitMs = excess > 0 ? leakTime(Math.min(excess, brimOf(rule)), rule) + lateMs : 0
  const maxDelayMs = 'maxDelayMs' in rule ? rule.maxDelayMs : -1
  if (maxDelayMs < 0) return answer
  const delayMs = leakTime(level, rule) + lateMs
  const turnWaitMs = Math.max(answer.waitMs, delayMs - maxDelayMs)
  if (turnWaitMs > 0) answer.waitMs = turnWaitMs
  else answer.delayMs = delayMs
  return answer
}
