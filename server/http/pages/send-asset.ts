import type { IncomingMessage, ServerResponse } from 'node:http'
import { refusalOf } from '#server/limits/describe.ts'
import { rateLimitHeaders } from '#server/limits/headers.ts'
import type { Services } from '#server/services.ts'
import { writeProblem } from '../answers.ts'
import { evaluate } from '../bytes/conditional.ts'
import { assetsRoute } from '../limits.ts'
import { refusalSentence } from '../sentence.ts'
import type { Asset } from './assets.ts'

interface AssetRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** The client's address, which is charged. */
  readonly address: string
  /** Whether a client whom the limit refuses is exempt from it. */
  readonly isExempt: () => Promise<boolean>
}

/** Answers GET and HEAD of a file: whole, or 304. Ranges and other conditions are ignored, as a server may. */
export async function sendAsset(
  app: Services,
  asset: Pick<Asset, 'inCodingFor'>,
  request: AssetRequest,
): Promise<void> {
  const { req, res, address, isExempt } = request
  const { body, headers, validators } = await asset.inCodingFor(req.headers['accept-encoding']?.toString())
  const { 'if-none-match': ifNoneMatch, 'if-modified-since': ifModifiedSince } = req.headers
  const conditions = { 'if-none-match': ifNoneMatch, 'if-modified-since': ifModifiedSince }
  const isCurrent = evaluate(conditions, validators) === 'not-modified'
  const bytes = isCurrent || req.method === 'HEAD' ? null : body
  const caller = { address, userId: null, shared: false }
  // Whatever is sent costs at least the bytes of a head.
  const charge = {
    procedure: assetsRoute.label,
    sets: assetsRoute.sets,
    caller,
    bytes: Math.max(bytes?.length ?? 0, HEAD_BYTES),
  }
  const permit = await app.limiter.obtain([charge], { label: assetsRoute.label })
  const refusal = refusalOf(permit.decision)
  if (refusal && !(await isExempt()))
    return writeProblem(res, 429, refusalSentence(refusal), rateLimitHeaders([permit.decision]))
  void permit.end('succeeded')
  if (isCurrent) {
    const { 'Content-Length': _, 'Content-Encoding': __, 'Content-Type': ___, ...kept } = headers
    return void res.writeHead(304, kept).end()
  }
  res.writeHead(200, headers)
  if (bytes) res.end(bytes)
  else res.end()
}

const HEAD_BYTES = 1_024
