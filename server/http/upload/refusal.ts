import { getTRPCErrorFromUnknown } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { outageOf, RETRY_SECONDS } from '#server/outage.ts'
import { asUnavailable, messageOf, reasonOf } from '#server/trpc/init.ts'
import { BadRequest } from './bad-request.ts'

/** Why a file, or a request, was not taken: what its sender is told. */
export interface Refusal {
  readonly status: number
  /** For programs: what was wrong, in a word. */
  readonly error: string
  readonly message: string
  /** Seconds after which to come back, where it is known and no limit tells it. */
  readonly retrySeconds: number | null
  /** Under which the log has a fault of the server's; null for everything else. */
  readonly requestId: string | null
}

/** A refusal by what was thrown. Bugs and broken dependencies say nothing of themselves. */
export function refusalOf(thrown: unknown, requestId: string): Refusal {
  if (thrown instanceof BadRequest) {
    return {
      status: thrown.status,
      error: thrown.problem,
      message: thrown.message,
      retrySeconds: null,
      requestId: null,
    }
  }
  const plain = getTRPCErrorFromUnknown(thrown)
  const error = asUnavailable(plain) ?? plain
  const isUnavailable = error.code === 'SERVICE_UNAVAILABLE'
  return {
    status: getHTTPStatusCodeFromError(error),
    error: reasonOf(error) ?? error.code.toLowerCase().replaceAll('_', '-'),
    message: messageOf(error),
    retrySeconds: isUnavailable ? Math.max(RETRY_SECONDS, outageOf(error)?.retrySeconds ?? 0) : null,
    requestId: isFault(error) ? requestId : null,
  }
}

/** Whether somebody should hear of an error that is no mistake of the caller's. */
export function isFault(thrown: unknown): boolean {
  if (thrown instanceof BadRequest) return false
  const error = getTRPCErrorFromUnknown(thrown)
  return error.code === 'INTERNAL_SERVER_ERROR' ? outageOf(error)?.isFault !== false : outageOf(error)?.isFault === true
}
