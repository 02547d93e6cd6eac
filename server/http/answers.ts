import type { ServerResponse } from 'node:http'
import { findOutage } from '#server/outage.ts'
import { acceptsPage } from './accepts-page.ts'
import { writeProblemPage } from './problem-page.ts'
import { errorSentence, inEnglish, type Sentence } from './sentence.ts'

type Headers = Readonly<Record<string, string>>

/** Writes a short JSON answer that caches must not store. */
export function writeJson(res: ServerResponse, status: number, body: unknown, headers: Headers = {}): void {
  const own = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }
  res.writeHead(status, { ...headers, ...own }).end(JSON.stringify(body))
}

/** Writes a short text answer that caches must not store. */
export function writeText(res: ServerResponse, status: number, text: string, headers: Headers = {}): void {
  const body = `${text}\n`
  const own = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Length': Buffer.byteLength(body),
  }
  res.writeHead(status, { ...headers, ...own }).end(body)
}

/** Answers a problem: with a page to a browser that opens the address, with JSON to programs. */
export function writeProblem(
  res: ServerResponse,
  status: number,
  sentence: Sentence,
  headers: Headers = {},
  requestId?: string,
): void {
  if (acceptsPage(res.req)) writeProblemPage(res, { status, sentence, headers, requestId })
  else writeJson(res, status, { error: inEnglish(sentence), ...(requestId !== undefined && { requestId }) }, headers)
}

/** The same where programs read text: at images and zips. */
export function writeTextProblem(res: ServerResponse, status: number, sentence: Sentence, headers: Headers = {}): void {
  if (acceptsPage(res.req)) writeProblemPage(res, { status, sentence, headers })
  else writeText(res, status, inEnglish(sentence), headers)
}

interface FailureAnswer {
  readonly status: 500 | 503
  readonly headers: Headers
  readonly sentence: Sentence
  /** Null for a spent budget, which is not logged. */
  readonly requestId: string | null
}

/**
 * Plans the answer to a failed request: an outage or a spent budget says when to try again, a bug gives the ID under
 * which it is logged.
 */
export function planFailure(error: unknown, requestId: string): FailureAnswer {
  const outage = findOutage(error)
  if (!outage) return { status: 500, headers: {}, sentence: (say) => say('errors.bug'), requestId }
  const headers = { 'Retry-After': String(outage.retrySeconds) }
  return { status: 503, headers, sentence: errorSentence(outage.text), requestId: outage.isFault ? requestId : null }
}

export function writeFailure(res: ServerResponse, error: unknown, failedId: string): void {
  const { status, headers, sentence, requestId } = planFailure(error, failedId)
  if (requestId === null) writeTextProblem(res, status, sentence, headers)
  else writeProblem(res, status, sentence, headers, requestId)
}
