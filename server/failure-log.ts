import { findOutage } from './outage.ts'
import { rarely } from './rarely.ts'

/** The shortest interval between two log lines about the same outage, which may fail every request. */
const OUTAGE_MS = 10_000

/** A failure, and the request in which it happened. */
export interface Failure {
  readonly requestId: string
  /** The procedure, if any. */
  readonly path?: string | undefined
  readonly err: unknown
}

interface Log {
  error(details: object, message: string): void
}

export type LogFailure = (failure: Failure, message: string) => void

/** Logs failures of requests: a bug every time; an outage at once and then every ten seconds, with the number of failures
 *  since. Failed requests also appear in the request log. */
export function createFailureLog(log: Log, now?: () => number): LogFailure {
  const outages = new Map<string, (line: readonly [Failure, string]) => void>()
  const outageLog = (kind: string) => {
    const known = outages.get(kind)
    if (known) return known
    const logRarely = rarely<readonly [Failure, string]>(
      OUTAGE_MS,
      ([failure, message], times) => log.error({ ...failure, times }, message),
      now,
    )
    outages.set(kind, logRarely)
    return logRarely
  }
  return (failure, message) => {
    const outage = findOutage(failure.err)
    if (outage?.isFault) outageLog(outage.message)([failure, message])
    else log.error(failure, message)
  }
}
