import type { RuleParts } from '#format/rules.ts'
import type { RefusalData } from '#server/limits/describe.ts'

/** What the refusing rule allows. 'store': nothing while the limiter's store is unavailable; 'unknown': the answer does not
 *  say. */
export type RefusingRule = RuleParts | 'store' | 'unknown'

/** A refused call as the page shows it. `until` is the time of the next attempt by this machine's clock (ms). */
export interface RefusedCall {
  readonly ruleSet: string
  readonly rule: RefusingRule
  readonly waitMs: number
  readonly until: number
  /** What came with the refusal: its `requestId` is what a refused person can quote. */
  readonly from?: object
}

// Rerendering must not restart the wait, which counts from when the refusal was first seen.
const seen = new WeakMap<object, RefusedCall>()

/** Returns the refusal in a tRPC error, an error envelope or a sign-in's 429 body; null for any other failure. */
export function findRefusal(error: unknown, now = Date.now()): RefusedCall | null {
  if (typeof error !== 'object' || error === null) return null
  const known = seen.get(error)
  if (known) return known
  const holder = 'data' in error && isObject(error.data) ? error.data : error
  const limit = 'limit' in holder ? holder.limit : null
  if (!isLimit(limit)) return null
  const refusal = {
    ruleSet: limit.ruleSet,
    rule: ruleIn(limit),
    waitMs: limit.retryAfterMs,
    until: now + limit.retryAfterMs,
    from: holder,
  }
  seen.set(error, refusal)
  return refusal
}

/** Returns the wait before a query is retried (ms). `spread`, 0 to 1, keeps tabs from retrying at the same instant. */
export function chooseRetryDelay(error: unknown, failures: number, spread: number): number {
  const refusal = findRefusal(error)
  if (refusal) return Math.max(0, refusal.waitMs) + 250 + Math.round(spread * 750)
  return Math.min(1000 * 2 ** failures, 8000)
}

type Limit = Pick<RefusalData, 'ruleSet' | 'retryAfterMs'> & { readonly parts?: unknown }

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function isLimit(value: unknown): value is Limit {
  if (!isObject(value)) return false
  const { ruleSet, retryAfterMs } = value as Partial<Record<keyof Limit, unknown>>
  return typeof ruleSet === 'string' && isWait(retryAfterMs)
}

function ruleIn({ parts }: Limit): RefusingRule {
  if (parts === null) return 'store'
  return isRule(parts) ? parts : 'unknown'
}

const isRule = (value: unknown): value is RuleParts =>
  isObject(value) && ('concurrent' in value || ('limit' in value && 'window' in value))

/** Other values must not schedule a retry. */
const isWait = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value >= 0
