import { getTRPCErrorFromUnknown } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { findOutage, RETRY_SECONDS } from '#server/outage.ts'
import { asUnavailable, publicMessage, publicReason } from '#server/trpc/init.ts'

/** Why a file or a request was refused, as its sender sees it. */
export interface SentRefusal {
  readonly status: number
  /** A code for programs. */
  readonly error: string
  readonly message: string
  /** Seconds until a retry can succeed, if known and not in the headers of a limit. */
  readonly retrySeconds: number | null
  /** Identifies a fault of the server in the log; null for all other refusals. */
  readonly requestId: string | null
}

/** Returns the refusal for what was thrown. It contains no details of bugs and outages. */
export function toSentRefusal(thrown: unknown, requestId: string): SentRefusal {
  const plain = getTRPCErrorFromUnknown(thrown)
  const error = asUnavailable(plain) ?? plain
  const isUnavailable = error.code === 'SERVICE_UNAVAILABLE'
  return {
    status: getHTTPStatusCodeFromError(error),
    error: publicReason(error) ?? error.code.toLowerCase().replaceAll('_', '-'),
    message: publicMessage(error),
    retrySeconds: isUnavailable ? Math.max(RETRY_SECONDS, findOutage(error)?.retrySeconds ?? 0) : null,
    requestId: isFault(error) ? requestId : null,
  }
}

/** Returns whether an error is a fault of the server, which is logged. */
export function isFault(thrown: unknown): boolean {
  const error = getTRPCErrorFromUnknown(thrown)
  return error.code === 'INTERNAL_SERVER_ERROR'
    ? findOutage(error)?.isFault !== false
    : findOutage(error)?.isFault === true
}
