import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { parseTraceparent } from '#server/tracing/traceparent.ts'
import type { SeenClient } from './client-address.ts'

/** Whatever proxies use: UUIDs, hexadecimal, base64. */
const ID = /^[\w.:/+=@-]{1,128}$/

/** Returns the ID that a trusted proxy has given a request, or a new one. */
export function chooseRequestId({ headers }: IncomingMessage, { isProxied }: SeenClient): string {
  const given = isProxied ? headers['x-request-id'] : undefined
  return typeof given === 'string' && ID.test(given) ? given : randomUUID()
}

/** Returns the trace that a trusted proxy has begun; null without one. */
export function findTraceId({ headers }: IncomingMessage, { isProxied }: SeenClient): string | null {
  const { traceparent } = headers
  return isProxied && typeof traceparent === 'string' ? (parseTraceparent(traceparent)?.traceId ?? null) : null
}
