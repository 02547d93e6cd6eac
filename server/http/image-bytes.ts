import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { create as contentDisposition } from 'content-disposition'
import { viewerOfSession } from '#server/accounts/sessions.ts'
import { callerOf, isSuperadmin, type Viewer } from '#server/accounts/viewer.ts'
import type { App } from '#server/app.ts'
import { mayRead } from '#server/images/access.ts'
import { type ByteRequest, parseByteRequest } from '#server/images/byte-request.ts'
import { extensionOf } from '#server/images/format.ts'
import { type ImageRow, imageColumns } from '#server/images/image-row.ts'
import { download, view } from '#server/images/limits.ts'
import { type Representation, representationsOf } from '#server/images/representation.ts'
import { refusalMessage, refusalOf } from '#server/limits/describe.ts'
import { rateLimitHeaders } from '#server/limits/headers.ts'
import { compileRuleSets } from '#server/limits/rule-set.ts'
import { type ByteRange, ObjectNotFound, type ObjectStore } from '#server/storage/object-store.ts'
import { isNotModified, rangeOf } from './conditional.ts'

const limits = { original: compileRuleSets('image bytes', download), variant: compileRuleSets('image bytes', view) }

type Headers = Record<string, string>

/** GET and HEAD of `/i/<slug>.<ext>`. Missing and hidden are one answer; every answer but those was charged first. */
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
    if (await send(app.images.store, req, res, representation, { headers, save: asked.download !== null })) return
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

interface Answer {
  readonly headers: Headers
  /** As an attachment, to be saved. */
  readonly save: boolean
}

/** Answers with one representation; false, having sent nothing, when the store does not have it. */
async function send(
  store: ObjectStore,
  req: IncomingMessage,
  res: ServerResponse,
  representation: Representation,
  answer: Answer,
): Promise<boolean> {
  const { etag, mime, filename, size } = representation
  const type = answer.save ? 'attachment' : 'inline'
  const headers: Headers = { ...answer.headers, ETag: etag, 'Content-Type': mime }
  headers['Content-Disposition'] = contentDisposition(filename, { type })
  if (isNotModified(req.headers, etag)) {
    res.writeHead(304, { ...answer.headers, ETag: etag }).end()
    return true
  }
  const range = size === null ? null : rangeOf(req.headers, etag, size)
  if (range === 'unsatisfiable') {
    sendText(res, 416, 'There are no such bytes.', { 'Content-Range': `bytes */${size}` })
    return true
  }
  if (size !== null) headers['Accept-Ranges'] = 'bytes'
  if (req.method === 'HEAD') return sendHead(store, res, representation, headers)
  const opened = await openOrNull(store, representation, range)
  if (!opened) return false
  await stream(res, opened, range, headers)
  return true
}

async function sendHead(store: ObjectStore, res: ServerResponse, { key, size }: Representation, headers: Headers) {
  const length = size ?? (await store.sizeOf(key))
  if (length === null) return false
  res.writeHead(200, { ...headers, 'Content-Length': length }).end()
  return true
}

async function openOrNull(store: ObjectStore, { key }: Representation, range: ByteRange | null) {
  return store.open(key, range ?? undefined).catch((error: unknown) => {
    if (error instanceof ObjectNotFound) return null
    throw error
  })
}

async function stream(
  res: ServerResponse,
  { body, size }: { body: Readable; size: number },
  range: ByteRange | null,
  headers: Headers,
): Promise<void> {
  const { start, end } = range ?? { start: 0, end: size - 1 }
  const partial: Headers = range ? { 'Content-Range': `bytes ${start}-${end}/${size}` } : {}
  res.writeHead(range ? 206 : 200, { ...headers, ...partial, 'Content-Length': end - start + 1 })
  await pipeline(body, res).catch((error: NodeJS.ErrnoException) => {
    // The client went away, as clients do.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}

const sendNotFound = (res: ServerResponse): void => sendText(res, 404, 'There is no such image.')

function sendText(res: ServerResponse, status: number, text: string, headers: Headers = {}): void {
  const body = `${text}\n`
  res
    .writeHead(status, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Length': Buffer.byteLength(body),
      ...headers,
    })
    .end(body)
}
