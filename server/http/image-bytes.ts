import type { IncomingMessage, ServerResponse } from 'node:http'
import { viewerOfSession } from '#server/accounts/sessions.ts'
import { callerOf, isSuperadmin, type Viewer } from '#server/accounts/viewer.ts'
import type { App } from '#server/app.ts'
import { mayRead } from '#server/images/access.ts'
import { type ByteRequest, parseByteRequest } from '#server/images/byte-request.ts'
import { extensionOf } from '#server/images/format.ts'
import { type ImageRow, imageColumns } from '#server/images/image-row.ts'
import { download, view } from '#server/images/limits.ts'
import { representationsOf } from '#server/images/representation.ts'
import { refusalMessage, refusalOf } from '#server/limits/describe.ts'
import { rateLimitHeaders } from '#server/limits/headers.ts'
import { compileRuleSets } from '#server/limits/rule-set.ts'
import { sendRepresentation, sendText } from './image-answer.ts'

const limits = { original: compileRuleSets('image bytes', download), variant: compileRuleSets('image bytes', view) }

/** GET and HEAD of `/i/<slug>.<ext>`. Missing and hidden are one answer; all but the malformed is charged before anything is looked up. */
export async function handleImageBytes(
  app: App,
  req: IncomingMessage,
  res: ServerResponse,
  ctx: { readonly address: string; readonly requestId: string },
): Promise<void> {
  // A browser shows an image and nothing else of what is sent here, whatever it is made to believe.
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Content-Security-Policy', "default-src 'none'; sandbox")
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    return sendText(res, 405, 'Only GET and HEAD are answered here.', { Allow: 'GET, HEAD', Connection: 'close' })
  }
  const asked = parseByteRequest(req.url ?? '')
  if (!asked) return sendNotFound(res)
  const reader = await readerOf(app, req, asked)
  const decision = await charge(app, asked, reader.viewer, ctx.address)
  const refusal = decision && refusalOf(decision)
  if (refusal) return sendText(res, 429, refusalMessage(refusal), rateLimitHeaders([decision]))
  const image = reader.isAdmitted ? await findImage(app, asked, reader.viewer) : null
  if (!image) return sendNotFound(res)
  const isPublic = image.visibility !== 'private' && !image.trashedAt
  const headers = {
    'Cache-Control': isPublic ? 'public, max-age=300' : 'private, no-cache',
    'Cross-Origin-Resource-Policy': isPublic ? 'cross-origin' : 'same-origin',
    // What a shared cache keeps must not tell one caller about another's allowance.
    ...(isPublic || !decision ? {} : rateLimitHeaders([decision])),
  }
  for (const representation of representationsOf(image, asked.width)) {
    if (
      await sendRepresentation(app.images.store, req, res, representation, { headers, save: asked.download !== null })
    )
      return
  }
  throw new Error(`The bytes of image ${image.id} are missing`)
}

/** Who reads: the holder of the download link, as long as their session lives; otherwise whoever the cookie says. */
async function readerOf(app: App, req: IncomingMessage, { slug, download }: ByteRequest) {
  const link = download === null ? null : app.images.downloadLinks.verify(slug, download)
  if (link?.sessionId) {
    const viewer = await viewerOfSession(app.db, link.sessionId)
    return { viewer, isAdmitted: viewer !== null }
  }
  return { viewer: await app.viewerOf(req.headers), isAdmitted: download === null || link !== null }
}

async function charge(app: App, asked: ByteRequest, viewer: Viewer | null, address: string) {
  if (isSuperadmin(viewer)) return null
  const ruleSets = asked.width === null ? limits.original : limits.variant
  return app.limiter.take(ruleSets, callerOf(viewer, address))
}

async function findImage(app: App, asked: ByteRequest, viewer: Viewer | null): Promise<ImageRow | null> {
  const image = await app.db.image.findUnique({ where: { slug: asked.slug }, select: imageColumns })
  return image && extensionOf(image.mime) === asked.extension && mayRead(viewer, image) ? image : null
}

const sendNotFound = (res: ServerResponse): void => sendText(res, 404, 'There is no such image.')
