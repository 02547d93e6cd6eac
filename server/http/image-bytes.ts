import type { IncomingMessage, ServerResponse } from 'node:http'
import { viewerOfSession } from '#server/accounts/sessions.ts'
import { callerOf, isSuperadmin, type Viewer } from '#server/accounts/viewer.ts'
import type { App } from '#server/app.ts'
import { mayRead } from '#server/images/access.ts'
import { type ByteRequest, parseByteRequest } from '#server/images/byte-request.ts'
import { extensionOf } from '#server/images/format.ts'
import { type ImageRow, imageColumns } from '#server/images/image-row.ts'
import { download, view } from '#server/images/limits.ts'
import { representationOf } from '#server/images/representation.ts'
import { refusalMessage, refusalOf } from '#server/limits/describe.ts'
import { rateLimitHeaders } from '#server/limits/headers.ts'
import { compileRuleSets } from '#server/limits/rule-set.ts'
import { sendRepresentation, sendText } from './image-answer.ts'

const limits = { original: compileRuleSets('image bytes', download), variant: compileRuleSets('image bytes', view) }

/**
 * GET and HEAD of `/i/<slug>.<ext>`. Missing and hidden are one answer. Whatever is well-formed is charged once it is known
 * whose sessions it names, and before an image is looked up: an address that leads nowhere costs the same.
 */
export async function handleImageBytes(
  app: App,
  req: IncomingMessage,
  res: ServerResponse,
  ctx: { readonly address: string; readonly requestId: string },
): Promise<void> {
  // A browser shows an image and nothing else of what is sent here, whatever it is made to believe. (The style is its own
  // viewer's: without it the picture sticks to a corner.)
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    return sendText(res, 405, 'Only GET and HEAD are answered here.', { Allow: 'GET, HEAD', Connection: 'close' })
  }
  const asked = parseByteRequest(req.url ?? '')
  if (!asked) return sendNotFound(res)
  const reader = await readerOf(app, req, asked)
  const decision = await charge(app, asked, reader, ctx.address)
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
  const representation = representationOf(image, asked.width)
  const answer = { headers, save: asked.download !== null }
  if (await sendRepresentation(app.images.store, req, res, representation, answer)) return
  throw new Error(`The bytes of image ${image.id} are missing`)
}

interface Reader {
  /** Who the cookie says sends the request. */
  readonly sender: Viewer | null
  /** In whose name it is read: the sender's, or the holder's of a download link. */
  readonly viewer: Viewer | null
  /** False with a download link that is void, or whose holder's session has ended. */
  readonly isAdmitted: boolean
}

async function readerOf(app: App, req: IncomingMessage, { slug, download }: ByteRequest): Promise<Reader> {
  const sender = await app.viewerOf(req.headers)
  if (download === null) return { sender, viewer: sender, isAdmitted: true }
  const link = app.images.downloadLinks.open(slug, download)
  if (!link?.sessionId) return { sender, viewer: sender, isAdmitted: link !== null }
  const holder = await viewerOfSession(app.db, link.sessionId)
  return { sender, viewer: holder ?? sender, isAdmitted: holder !== null }
}

/** Superadmins are free, but their links are not: whoever was given one reads at the expense of its holder. */
async function charge(app: App, asked: ByteRequest, { sender, viewer }: Reader, address: string) {
  if (isSuperadmin(sender)) return null
  const ruleSets = asked.width === null ? limits.original : limits.variant
  return app.limiter.take(ruleSets, callerOf(viewer, address))
}

async function findImage(app: App, asked: ByteRequest, viewer: Viewer | null): Promise<ImageRow | null> {
  const image = await app.db.image.findUnique({ where: { slug: asked.slug }, select: imageColumns })
  return image && extensionOf(image.mime) === asked.extension && mayRead(viewer, image) ? image : null
}

const sendNotFound = (res: ServerResponse): void => sendText(res, 404, 'There is no such image.')
