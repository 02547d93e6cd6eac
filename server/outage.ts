import { isDatabaseOutage } from './database/outage.ts'
import type { ErrorCode } from './errors/codes.ts'
import { toSentence } from './errors/refuse.ts'
import { type ErrorText, Refused } from './errors/refused.ts'
import { LimitStoreUnavailable as LimitsUnavailable } from './limits/stores/failover/failover-store.ts'
import { BudgetSpent } from './storage/meter.ts'
import { ObjectStoreUnavailable } from './storage/object-store.ts'

/* Every route answers a failing dependency with 503 and Retry-After, without details of the dependency. Any
   exception that is not an outage is a bug. */

/** The Retry-After of an outage. */
export const RETRY_SECONDS = 5

/** The Retry-After of a spent budget that never resets. */
const FULL_RETRY_SECONDS = 3_600

/** A dependency is failing, or a budget forbids its use: not the client's mistake, and worth a retry. */
export interface Outage {
  /** For the client: names the dependency but not where it runs. */
  readonly text: ErrorText
  /** The same in English. */
  readonly message: string
  /** Seconds after which the client should retry. */
  readonly retrySeconds: number
  /** False for a spent budget, which works as intended. */
  readonly isFault: boolean
}

const NO_SPACE = /^(?:ENOSPC|EDQUOT)$/

/** Returns the outage among an error and its causes; null for a bug. */
export function findOutage(error: unknown): Outage | null {
  const spent = chain(error).find((each) => each instanceof BudgetSpent)
  if (spent) return { ...inWords(spentText(spent)), retrySeconds: secondsUntil(spent.until), isFault: false }
  const code = outageCode(error)
  return code && { ...inWords({ code, params: {} }), retrySeconds: RETRY_SECONDS, isFault: true }
}

/** Returns what people are told of a refusal or an outage; null for a bug. */
export const findErrorText = (error: unknown): ErrorText | null =>
  error instanceof Error && error.cause instanceof Refused ? error.cause.text : (findOutage(error)?.text ?? null)

const inWords = (text: ErrorText) => ({ text, message: toSentence(text) })

const spentText = ({ until }: BudgetSpent): ErrorText =>
  until ? { code: 'budget-spent', params: { until: { at: until.toISOString() } } } : { code: 'site-full', params: {} }

function outageCode(error: unknown): ErrorCode | null {
  if (isFullDisk(error)) return 'disk-full'
  if (isStoreOutage(error)) return 'objects-unavailable'
  if (isLimitsOutage(error)) return 'limits-unavailable'
  if (isDatabaseOutage(error)) return 'database-unavailable'
  return null
}

/** At least 1: a retry in the same second would be too early. */
const secondsUntil = (until: Date | null): number =>
  until ? Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1_000)) : FULL_RETRY_SECONDS

const isStoreOutage = (error: unknown): boolean => chain(error).some((each) => each instanceof ObjectStoreUnavailable)

const isLimitsOutage = (error: unknown): boolean => chain(error).some((each) => each instanceof LimitsUnavailable)

const isFullDisk = (error: unknown): boolean =>
  chain(error).some((each) => 'code' in each && typeof each.code === 'string' && NO_SPACE.test(each.code))

/** Returns an error and its causes, at most 8. */
function chain(error: unknown): Error[] {
  const errors: Error[] = []
  for (let each = error; each instanceof Error && errors.length < 8; each = each.cause) errors.push(each)
  return errors
}
