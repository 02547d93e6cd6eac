import type { IncomingMessage, ServerResponse } from 'node:http'
import { translate } from '#messages/translate.ts'
import { pictureRoute } from '#server/accounts/limits.ts'
import { findPicture, readPicturePath } from '#server/accounts/profile/picture.ts'
import { refusalMessage } from '#server/errors/refusal-message.ts'
import { refusalOf } from '#server/limits/describe.ts'
import { rateLimitHeaders } from '#server/limits/headers.ts'
import type { Services } from '#server/services.ts'
import { writeText } from './answers.ts'
import { evaluate } from './bytes/conditional.ts'
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
  const caller = { address, userId: null, shared: false }
  const permit = await app.limiter.obtain([{ sets: pictureRoute.sets, caller }], { label: pictureRoute.label })
  const refusal = refusalOf(permit.decision)
  if (refusal) return writeText(res, 429, refusalMessage(refusal), rateLimitHeaders([permit.decision]))
  void permit.end('succeeded')
  if (req.method !== 'GET' && req.method !== 'HEAD')
    return writeText(res, 405, translate('http.onlyGetHead'), { Allow: 'GET, HEAD', Connection: 'close' })
  const hash = readPicturePath(req.url ?? '')
  const bytes = hash && (await findPicture(app.db, hash))
  if (!bytes) return writeText(res, 404, translate('errors.image-not-found'))
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
