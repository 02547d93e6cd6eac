import type { ServerResponse } from 'node:http'
import { outageOf } from '#server/outage.ts'

/** A short JSON answer that no cache keeps. */
export function writeJson(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const own = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }
  res.writeHead(status, { ...headers, ...own }).end(JSON.stringify(body))
}

/** A short answer in words that no cache keeps. */
export function writeText(
  res: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = `${text}\n`
  const own = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Length': Buffer.byteLength(body),
  }
  res.writeHead(status, { ...headers, ...own }).end(body)
}

/** What a failed request is answered: an outage, or a budget that is spent, by its name and when to come back, a bug by the id under which it is logged. */
export function writeFailure(res: ServerResponse, error: unknown, requestId: string): void {
  const outage = outageOf(error)
  const headers = { 'Retry-After': String(outage?.retrySeconds) }
  if (!outage) writeJson(res, 500, { error: 'Something went wrong on our side.', requestId })
  // There is nothing to look for in a log.
  else if (!outage.isFault) writeText(res, 503, outage.message, headers)
  else writeJson(res, 503, { error: outage.message, requestId }, headers)
}
