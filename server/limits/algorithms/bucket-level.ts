import type { Bucket, LeakyBucket } from '../rules/compiled.ts'
import type { RuleAnswer } from '../store.ts'

/** A bucket of either kind; only a leaky one may pace. */
export type AnyBucket = Bucket | LeakyBucket

const HALF = 2 ** 17

/** The most units that a bucket ever holds: what was forced beyond its capacity is a debt of one more bucketful at most. */
export function brimOf({ limit, scale }: Bucket): number {
  return 2 * limit * scale
}

/** What a charge pours in, in units. */
export function unitsOf(cost: number, { limit, scale }: Bucket): number {
  return Math.min(cost, 2 * limit) * scale
}

/** Milliseconds until that many units have leaked. */
export function leakTime(units: number, { leak }: Bucket): number {
  return Math.ceil(units / leak)
}

/** A level in units of another scale, for the limit was another, as units of the rule's: rounded up to a whole one. What
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

/** How a rule stands at a level, `lateMs` before the time that counts. */
export function standing(rule: Bucket, level: number, lateMs: number): RuleAnswer {
  const { limit, scale } = rule
  const room = limit * scale - level
  const remaining = Math.max(0, Math.floor(room / scale))
  const resetMs = level > 0 ? leakTime((remaining + 1) * scale - room, rule) + lateMs : 0
  return { remaining, resetMs, waitMs: 0, delayMs: 0 }
}

/** What a rule answers to a charge that finds a level. */
export function answerAt(rule: AnyBucket, level: number, charged: number, lateMs: number): RuleAnswer {
  const given = standing(rule, level, lateMs)
  // Of a cost above the capacity it is rounded, and positive whatever the level.
  const excess = level - (rule.limit * rule.scale - charged)
  const waitMs = excess > 0 ? leakTime(excess, rule) + lateMs : 0
  const maxDelayMs = 'maxDelayMs' in rule ? rule.maxDelayMs : -1
  if (maxDelayMs < 0) return { ...given, waitMs }
  const delayMs = leakTime(level, rule) + lateMs
  const turnWaitMs = Math.max(waitMs, delayMs - maxDelayMs)
  return turnWaitMs > 0 ? { ...given, waitMs: turnWaitMs } : { ...given, delayMs }
}
