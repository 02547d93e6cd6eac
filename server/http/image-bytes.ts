import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Viewer } from '#server/accounts/viewer.ts'
import type { App } from '#server/app.ts'
import { mayRead } from '#server/images/access.ts'
import type { Alarm } from '#server/images/alarms.ts'
import { type ByteRequest, parseByteRequest } from '#server/images/byte-request.ts'
import { extensionOf } from '#server/images/format.ts'
import { representationOf, type SentImage, sentColumns } from '#server/images/representation.ts'
import { holdsWhole } from '#server/images/variant.ts'
import type { Decision } from '#server/limits/decision.ts'
import { refusalMessage, refusalOf } from '#server/limits/describe.ts'
import { rateLimitHeaders } from '#server/limits/headers.ts'
import { ObjectCorrupt, ObjectNotFound } from '#server/storage/object-store.ts'
import { writeText } from './answers.ts'
import { goneSignal } from './client-gone.ts'
import { sendRepresentation } from './image-answer.ts'
import { charge, type Reader, readerOf, SMALL } from './image-reader.ts'
import { limitHeaders } from './limit-headers.ts'

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
    return writeText(res, 405, 'Only GET and HEAD are answered here.', { Allow: 'GET, HEAD', Connection: 'close' })
  }
  const asked = parseByteRequest(req.url ?? '')
  if (!asked) return sendNotFound(res)
  const reader = await readerOf(app, req, asked)
  const permit = await charge(app, asked, reader, { address: ctx.address, signal: goneSignal(res) })
  try {
    await answer(app, req, res, { asked, reader, decision: permit?.decision ?? null, requestId: ctx.requestId })
  } finally {
    const isCallersFault = res.statusCode >= 400 && res.statusCode < 500
    await permit?.end(isCallersFault ? 'failed' : 'succeeded')
  }
}

interface Call {
  readonly asked: ByteRequest
  readonly reader: Reader
  /** Null for whom no limit holds. */
  readonly decision: Decision | null
  readonly requestId: string
}

async function answer(app: App, req: IncomingMessage, res: ServerResponse, call: Call): Promise<void> {
  const { reader, decision, requestId } = call
  const refusal = decision && refusalOf(decision)
  if (refusal) return writeText(res, 429, refusalMessage(refusal), rateLimitHeaders([decision]))
  const asked = decision?.degradedBy ? { ...call.asked, width: SMALL } : call.asked
  const found = reader.isAdmitted ? await findImage(app, asked, reader.viewer) : null
  if (!found) return sendNotFound(res)
  try {
    const headers = headersOf(app, found.image, asked, decision)
    await sendRepresentation(app.images.store, req, res, found.representation, {
      headers,
      save: asked.download !== null,
      isStandIn: asked !== call.asked,
    })
  } catch (error) {
    // A purge may have come between the row and the bytes.
    if (error instanceof ObjectNotFound && !(await findImage(app, asked, reader.viewer))) return sendNotFound(res)
    if (!raiseAlarm(app, error, { imageId: found.image.id, requestId })) throw error
    if (res.headersSent) return void res.destroy()
    writeText(res, 500, 'The bytes of this image are damaged or lost. Tell whoever runs this site.')
  }
}

/** Whoever may keep an answer must not keep it longer than it holds, nor learn from it about another's allowance. */
function headersOf(
  app: App,
  image: SentImage,
  { download }: ByteRequest,
  decision: Decision | null,
): Record<string, string> {
  const isPublic = image.visibility !== 'private' && !image.trashedAt
  const limits = decision ? rateLimitHeaders([decision]) : {}
  const resourcePolicy = { 'Cross-Origin-Resource-Policy': isPublic ? 'cross-origin' : 'same-origin' }
  // The same address answers with more once there are permits again.
  if (decision?.degradedBy && !holdsWhole(SMALL, image))
    return { ...resourcePolicy, ...limitHeaders([decision]), 'Cache-Control': 'no-store' }
  // A link ends with its holder's session; no cache hears of that.
  if (download !== null) return { ...resourcePolicy, ...limits, 'Cache-Control': 'no-store' }
  if (isPublic) return { ...resourcePolicy, 'Cache-Control': `public, max-age=${app.config.cacheSeconds}` }
  return { ...resourcePolicy, ...limits, 'Cache-Control': 'private, no-cache', Vary: 'Cookie' }
}

/** Counts and logs stored bytes that are not what the row promises; false for every other error. */
function raiseAlarm(app: App, error: unknown, details: object): boolean {
  const alarm = alarmOf(error)
  if (!alarm) return false
  app.alarms.raise(alarm)
  app.log.error({ ...details, alarm, err: error }, `the bytes of an image are ${alarm}`)
  return true
}

function alarmOf(error: unknown): Alarm | null {
  if (error instanceof ObjectNotFound) return 'missing'
  return error instanceof ObjectCorrupt ? 'corrupt' : null
}

/** What there is to read; looked up in as many steps when it is hidden as when it is not there. */
async function findImage(app: App, { slug, extension, width }: ByteRequest, viewer: Viewer | null) {
  const image = await app.db.image.findUnique({ where: { slug }, select: sentColumns })
  if (!image || extensionOf(image.mime) !== extension || !mayRead(viewer, image)) return null
  const representation = await representationOf(app.db, image, width)
  return representation && { image, representation }
}

const sendNotFound = (res: ServerResponse): void => writeText(res, 404, 'There is no such image.')
