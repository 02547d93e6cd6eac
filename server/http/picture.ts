import type { IncomingMessage, ServerResponse } from 'node:http'
import { pictureRoute } from '#server/accounts/profile/limits.ts'
import { findPicture, readPicturePath } from '#server/accounts/profile/picture.ts'
import { toCaller } from '#server/accounts/viewer.ts'
import { chargeOf } from '#server/limits/rules/declared-route.ts'
import type { Services } from '#server/services.ts'
import { NOT_FOUND, planRefusal, WRONG_METHOD } from './bytes/answer-plan.ts'
import { evaluate } from './bytes/conditional.ts'
import { sendText } from './bytes/send-answer.ts'
import { refuseInvalid } from './invalid-request.ts'
import { imageSecurityHeaders } from './security-headers.ts'

/** A changed picture has another address, so browsers need not ask again; a removed one is gone from their caches in a day. */
const CACHE_SECONDS = 24 * 60 * 60

export const isPicture = (url: string): boolean => readPicturePath(url) !== null

/** Serves the picture of an account, which everybody may see who knows its address. */
export async function handlePicture(
  app: Services,
  req: IncomingMessage,
  res: ServerResponse,
  { address }: { readonly address: string },
): Promise<void> {
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    if (await refuseInvalid(app, res, { address })) return
    return sendText(res, WRONG_METHOD)
  }
  const permit = await app.limiter.obtain(...chargeOf(pictureRoute, toCaller(null, address)))
  if (!permit.decision.allowed) return sendText(res, planRefusal(permit.decision))
  void permit.end('succeeded')
  const hash = readPicturePath(req.url ?? '')
  const bytes = hash && (await findPicture(app.db, hash))
  if (!bytes) return sendText(res, NOT_FOUND, { decisions: [permit.decision] })
  const etag = `"${hash}"`
  const kept = { ETag: etag, 'Cache-Control': `public, max-age=${CACHE_SECONDS}` }
  const isCurrent =
    evaluate({ 'if-none-match': req.headers['if-none-match'] }, { etag, lastModified: new Date(0) }) === 'not-modified'
  if (isCurrent) return void res.writeHead(304, kept).end()
  const secure = app.config.origin.startsWith('https:')
  const type = { 'Content-Type': 'image/webp', 'Content-Length': String(bytes.length) }
  res.writeHead(200, { ...imageSecurityHeaders({ secure }), ...kept, ...type })
  if (req.method === 'HEAD') res.end()
  else res.end(bytes)
}
