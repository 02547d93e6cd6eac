import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import { hasSessionCookie } from '#server/accounts/sessions/session-token.ts'
import { findOutage, type Outage } from '#server/outage.ts'
import { acceptsPage } from '../accepts-page.ts'
import { writeProblem } from '../answers.ts'
import { errorSentence } from '../sentence.ts'

/** The request of the page being rendered, whatever path Next takes from there to the page's calls. */
const requests = new AsyncLocalStorage<{ outage: Outage | null }>()

/**
 * Renders a page. For what a page did not find Next answers 404, and 500 for any failure, with a document that only scripts fill. A
 * browser gets the page for problems in its place, unless `requestId` is null, in dev mode; a signed-in viewer, who has the script,
 * keeps Next's 404. If it was an outage, the answer is 503 with Retry-After, to programs and to Next's own router as well.
 */
export async function answerOutages(
  res: ServerResponse,
  requestId: string | null,
  render: () => Promise<void>,
): Promise<void> {
  const request: { outage: Outage | null } = { outage: null }
  const { writeHead, write, end } = res
  let isReplaced = false
  const isReplacing = () => {
    if (requestId !== null && !isReplaced && !res.headersSent && isForScripts(res) && opensPage(res)) {
      isReplaced = true
      Object.assign(res, { writeHead, write, end })
      for (const name of OF_NEXT) res.removeHeader(name)
      const { outage } = request
      if (res.statusCode === 404) writeProblem(res, 404, (say) => say('http.pageNotFound'))
      else if (outage)
        writeProblem(res, 503, errorSentence(outage.text), { 'Retry-After': String(outage.retrySeconds) })
      else writeProblem(res, 500, (say) => say('errors.bug'), {}, requestId)
      // What Next still writes is dropped.
      Object.assign(res, { writeHead: () => res, write: () => true, end: () => res })
    }
    return isReplaced
  }
  Reflect.set(res, 'writeHead', (status: number, ...rest: unknown[]) => {
    res.statusCode = status
    if (isReplacing()) return res
    if (status !== 500 || !request.outage) return Reflect.apply(writeHead, res, [status, ...rest])
    res.setHeader('Retry-After', request.outage.retrySeconds)
    return Reflect.apply(writeHead, res, [503, ...rest])
  })
  Reflect.set(res, 'write', (...all: unknown[]) => isReplacing() || Reflect.apply(write, res, all))
  Reflect.set(res, 'end', (...all: unknown[]) => (isReplacing() ? res : Reflect.apply(end, res, all)))
  await requests.run(request, render)
}

/** Headers of the document that is replaced. */
const OF_NEXT = ['Content-Encoding', 'ETag', 'Link', 'Transfer-Encoding']

const isForScripts = ({ statusCode, req }: ServerResponse): boolean =>
  statusCode === 500 || (statusCode === 404 && !hasSessionCookie(req))

/** Whether a browser opens a page, rather than Next's router a part of one. */
const opensPage = ({ req }: ServerResponse): boolean => acceptsPage(req) && req.headers.rsc === undefined

/** Records an outage for the answer to the page being rendered. */
export function noteOutage(error: unknown): void {
  const request = requests.getStore()
  if (request) request.outage = findOutage(error) ?? request.outage
}

/** Awaits a call of a page and records its outage, if it fails, before rethrowing. */
export async function noting<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    noteOutage(error)
    throw error
  }
}
