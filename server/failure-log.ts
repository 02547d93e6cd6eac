import { outageOf } from './outage.ts'
import { rarely } from './rarely.ts'

/** Milliseconds between two lines of the log about the same outage: every request may meet it, and has its own line. */
const OUTAGE_MS = 10_000

/** What failed, with the request that it failed for. */
export interface Failure {
  readonly requestId: string
  /** The procedure, where it is one. */
  readonly path?: string | undefined
  readonly err: unknown
}

interface Log {
  error(details: object, message: string): void
}

export type LogFailure = (failure: Failure, message: string) => void

/** Logs what fails in requests: a bug each time; an outage the first time, and then rarely, with how many times it was
 *  met since. */
export function createFailureLog(log: Log, now?: () => number): LogFailure {
  const outages = new Map<string, (line: readonly [Failure, string]) => void>()
  const outageLog = (kind: string) => {
    const known = outages.get(kind)
    if (known) return known
    const tell = rarely<readonly [Failure, string]>(
      OUTAGE_MS,
      ([failure, message], times) => log.error({ ...failure, times }, message),
      now,
    )
    outages.set(kind, tell)
    return tell
  }
  return (failure, message) => {
    const outage = outageOf(failure.err)
    if (outage?.isFault) outageLog(outage.message)([failure, message])
    else log.error(failure, message)
  }
}
