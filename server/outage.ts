import { isDatabaseOutage } from './database/outage.ts'
import { StoreUnavailable as LimitsUnavailable } from './limits/deciders/decider.ts'
import { StoreUnavailable } from './storage/object-store.ts'

/** Seconds after which a client is to come back. */
export const RETRY_SECONDS = 5

/** Something that Sluice depends on does not work right now: nobody's mistake, and worth another try. */
export interface Outage {
  /** What a client is told: which part, and nothing of where it runs. */
  readonly message: string
}

const NO_SPACE = /^(?:ENOSPC|EDQUOT)$/

/** The outage behind an error, however deep; null for a bug. */
export function outageOf(error: unknown): Outage | null {
  if (isFullDisk(error)) return { message: 'The server has no space left. Try again later.' }
  if (isStoreOutage(error)) return { message: 'The store of images does not answer. Try again in a few seconds.' }
  if (isLimitsOutage(error)) return { message: 'The store of limits does not answer. Try again in a few seconds.' }
  if (isDatabaseOutage(error)) return { message: 'The database does not answer. Try again in a few seconds.' }
  return null
}

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
