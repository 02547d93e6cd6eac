import type { ServerResponse } from 'node:http'
import { translate } from '#messages/translate.ts'
import { findOutage } from '#server/outage.ts'
import { wantsPage, writeRefusedPage } from './refused-page.ts'

/** Writes a short JSON answer that caches must not store; to a browser that opens the address, a refusal is a page. */
export function writeJson(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const sentence = typeof body === 'object' && body !== null && 'error' in body ? body.error : null
  if (typeof sentence === 'string' && wantsPage(res.req, status)) {
    writeRefusedPage(res, status, { sentence, headers })
    return
  }
  const own = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }
  res.writeHead(status, { ...headers, ...own }).end(JSON.stringify(body))
}

/** Writes a short text answer that caches must not store; to a browser that opens the address, a refusal is a page. */
export function writeText(
  res: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (wantsPage(res.req, status)) {
    writeRefusedPage(res, status, { sentence: text, headers })
    return
  }
  const body = `${text}\n`
  const own = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Length': Buffer.byteLength(body),
  }
  res.writeHead(status, { ...headers, ...own }).end(body)
}

/** An answer to a failed request: JSON, or a sentence. */
interface FailureAnswer {
  readonly status: 500 | 503
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | { readonly error: string; readonly requestId: string }
}

/**
 * Plans the answer to a failed request: an outage or a spent budget says when to try again, a bug gives the ID under
 * which it is logged.
 */
export function planFailure(error: unknown, requestId: string): FailureAnswer {
  const outage = findOutage(error)
  if (!outage) return { status: 500, headers: {}, body: { error: translate('errors.bug'), requestId } }
  const headers = { 'Retry-After': String(outage.retrySeconds) }
  // A spent budget is not logged.
  return { status: 503, headers, body: outage.isFault ? { error: outage.message, requestId } : outage.message }
}

export function writeFailure(res: ServerResponse, error: unknown, requestId: string): void {
  const { status, headers, body } = planFailure(error, requestId)
  if (typeof body === 'string') writeText(res, status, body, headers)
  else writeJson(res, status, body, headers)
}
