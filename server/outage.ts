import { isDatabaseOutage } from './database/outage.ts'
import { StoreUnavailable as LimitsUnavailable } from './limits/deciders/decider.ts'
import { BudgetSpent } from './storage/meter.ts'
import { StoreUnavailable } from './storage/object-store.ts'

/** Seconds after which a client is to come back. */
export const RETRY_SECONDS = 5

/** The same where a budget is spent that does not end by itself. */
const FULL_RETRY_SECONDS = 3_600

/** Something that Sluice depends on does not work right now, or may not be used: nobody's mistake, and worth another try. */
export interface Outage {
  /** What a client is told: which part, and nothing of where it runs. */
  readonly message: string
  /** Seconds after which a client is to come back. */
  readonly retrySeconds: number
  /** Something is broken. A budget that is spent is as its owner wants it. */
  readonly isFault: boolean
}

const NO_SPACE = /^(?:ENOSPC|EDQUOT)$/

/** The outage behind an error, however deep; null for a bug. */
export function outageOf(error: unknown): Outage | null {
  const spent = chain(error).find((each) => each instanceof BudgetSpent)
  if (spent) return { message: spent.message, retrySeconds: secondsUntil(spent.until), isFault: false }
  const message = messageOf(error)
  return message === null ? null : { message, retrySeconds: RETRY_SECONDS, isFault: true }
}

function messageOf(error: unknown): string | null {
  if (isFullDisk(error)) return 'The server has no space left. Try again later.'
  if (isStoreOutage(error)) return 'The store of images does not answer. Try again in a few seconds.'
  if (isLimitsOutage(error)) return 'The store of limits does not answer. Try again in a few seconds.'
  if (isDatabaseOutage(error)) return 'The database does not answer. Try again in a few seconds.'
  return null
}

/** At least one: whoever comes back in the same second is too early. */
const secondsUntil = (until: Date | null): number =>
  until ? Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1_000)) : FULL_RETRY_SECONDS

const isStoreOutage = (error: unknown): boolean => chain(error).some((each) => each instanceof StoreUnavailable)

const isLimitsOutage = (error: unknown): boolean => chain(error).some((each) => each instanceof LimitsUnavailable)

const isFullDisk = (error: unknown): boolean =>
  chain(error).some((each) => 'code' in each && typeof each.code === 'string' && NO_SPACE.test(each.code))

/** An error and its causes. */
function chain(error: unknown): Error[] {
  const errors: Error[] = []
  for (let each = error; each instanceof Error && errors.length < 8; each = each.cause) errors.push(each)
  return errors
}
