import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { refusalOf } from '#server/limits/describe.ts'
import { Failures } from '#server/limits/failures.ts'
import { rateLimitHeaders } from '#server/limits/headers.ts'
import { EXPOSITION_TYPE, exposition } from '#server/metrics/exposition.ts'
import type { Services } from '#server/services.ts'
import { writeProblem } from './answers.ts'
import { withinRanges } from './client-address.ts'
import { metricsRoute } from './limits.ts'
import type { RequestFrame } from './request-frame.ts'
import { refusalSentence } from './sentence.ts'

export const METRICS_PATH = /^\/metrics(\?|$)/

/** Answers a scrape. Returns false, without an answer, for a caller without access. */
export type MetricsHandler = (req: IncomingMessage, res: ServerResponse, frame: RequestFrame) => Promise<boolean>

/** Serves GET /metrics to the addresses and the token in the settings; to nobody if neither is set. */
export function createMetrics(app: Services): MetricsHandler {
  const { token, addresses } = app.config.metrics
  if (token === null && addresses.length === 0) return async () => false
  const isKnown = withinRanges(addresses)
  const write = async (req: IncomingMessage, res: ServerResponse) => {
    if (req.method !== 'GET' && req.method !== 'HEAD')
      return writeProblem(res, 405, (say) => say('http.onlyGetHead'), { Allow: 'GET, HEAD' })
    const body = exposition(await app.metrics.scrape())
    const headers = { 'Content-Type': EXPOSITION_TYPE, 'Cache-Control': 'no-store' }
    res.writeHead(200, { ...headers, 'Content-Length': Buffer.byteLength(body) })
    res.end(req.method === 'GET' ? body : undefined)
  }

  return async (req, res, frame) => {
    if (frame.exactAddress && isKnown(frame.exactAddress)) {
      await write(req, res)
      return true
    }
    const given = /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? '')?.[1]
    if (token === null || given === undefined) return false
    if (timingSafeEqual(digest(given), digest(token))) {
      await write(req, res)
      return true
    }
    const caller = { address: frame.address, userId: null, shared: false }
    const decision = await new Failures(app.limiter, metricsRoute, caller).count()
    const refusal = refusalOf(decision)
    if (refusal) writeProblem(res, 429, refusalSentence(refusal), rateLimitHeaders([decision]))
    return refusal !== null
  }
}

/** Gives inputs of any length the same length for timingSafeEqual. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
