import type { IncomingMessage, ServerResponse } from 'node:http'
import { callerOf, type Viewer } from '#server/accounts/viewer.ts'
import type { App } from '#server/app.ts'
import { mayRead } from '#server/images/access.ts'
import type { Alarm } from '#server/images/alarms.ts'
import { type ByteRequest, parseByteRequest } from '#server/images/byte-request.ts'
import { extensionOf } from '#server/images/format.ts'
import { findSent, representationOf, type SentImage, sentColumns } from '#server/images/representation.ts'
import { holdsWhole } from '#server/images/variant.ts'
import { CostAboveLimit } from '#server/limits/charges.ts'
import type { Decision } from '#server/limits/decision.ts'
import { refusalMessage, refusalOf } from '#server/limits/describe.ts'
import { rateLimitHeaders } from '#server/limits/headers.ts'
import { ObjectCorrupt, ObjectNotFound, originalKey } from '#server/storage/object-store.ts'
import { paidBy } from '#server/storage/payer.ts'
import { writeText } from '../answers.ts'
import { goneSignal } from '../client-gone.ts'
import { limitHeaders } from '../limit-headers.ts'
import { imageSecurityHeaders } from '../security-headers.ts'
import { ByteCall } from './byte-call.ts'
import { addressOf, type FoundImage, type GuestImages } from './guest-images.ts'
import { sendRepresentation } from './image-answer.ts'
import { callKindOf, isFree, readerOf, type Sender, SMALL, tokenChargesOf } from './image-reader.ts'

/** GET and HEAD of `/i/<slug>.<ext>`. Missing and hidden images get the same answer. A well-formed request is charged
 *  once its session or token is known and before the image is looked up, so that an address that leads nowhere costs
 *  the same. */
export async function handleImageBytes(
  app: App,
  hot: GuestImages<unknown>,
  req: IncomingMessage,
  res: ServerResponse,
  { address, requestId }: { readonly address: string; readonly requestId: string },
): Promise<void> {
  setImageHeaders(app, res)
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    return writeText(res, 405, 'Only GET and HEAD are answered here.', { Allow: 'GET, HEAD', Connection: 'close' })
  }
  const asked = parseByteRequest(req.url ?? '')
  if (!asked) return sendNotFound(res)
  const reader = await readerOf(app, req, asked, address)
  if (reader.tokenRefusal) return writeRefusal(res, reader.tokenRefusal)
  const caller = callerOf(reader.viewer, address)
  const byToken = tokenChargesOf(reader)
  const call = new ByteCall({ app, kind: callKindOf(asked), asked, caller, isFree: isFree(reader), byToken, requestId })
  call.endWith(res)
  const signal = goneSignal(res)
  const refused = await call.takeCall(signal)
  if (refused) return writeRefusal(res, refused)
  if (reader.tokenProblem) return refuseToken(res, reader.tokenProblem)
  const viewer = reader.isAdmitted ? reader.viewer : 'nobody'
  await answerCall({ app, hot, req, res, call, asked, viewer, signal, requestId })
}

/** As RFC 6750 (3.1) has it: what is void, and what is not for this. */
export function refuseToken(res: ServerResponse, problem: NonNullable<Sender['tokenProblem']>): void {
  const isVoid = problem === 'void'
  const words = isVoid ? 'This token is not valid: it has expired or was revoked.' : 'This token may not read.'
  const challenge = isVoid ? 'Bearer error="invalid_token"' : 'Bearer error="insufficient_scope", scope="read"'
  writeText(res, isVoid ? 401 : 403, words, { 'WWW-Authenticate': challenge })
}

/** The headers of every answer here. */
export function setImageHeaders(app: App, res: ServerResponse): void {
  const secure = app.config.origin.startsWith('https:')
  for (const [name, value] of Object.entries(imageSecurityHeaders({ secure }))) res.setHeader(name, value)
}

/** Answers 429, in the form of every surface. */
export function writeRefusal(res: ServerResponse, decision: Decision): void {
  const refusal = refusalOf(decision)
  writeText(res, 429, refusal ? refusalMessage(refusal) : 'Too many requests.', rateLimitHeaders([decision]))
}

interface ChargedCall {
  readonly app: App
  readonly hot: GuestImages<unknown>
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly call: ByteCall
  readonly asked: ByteRequest
  /** On whose behalf it is read; nobody's with an invalid download link. */
  readonly viewer: Viewer | null | 'nobody'
  readonly signal: AbortSignal
  readonly requestId: string
}

/** Answers a call that has been charged; the call ends with its answer. */
export async function answerCall(charged: ChargedCall): Promise<void> {
  const { app, req, res, call, viewer, signal, requestId } = charged
  const isDegraded = call.decisions.some(({ degradedBy }) => degradedBy)
  const asked = isDegraded ? { ...charged.asked, width: SMALL } : charged.asked
  const found = viewer === 'nobody' ? null : await lookUp(charged, asked, viewer)
  if (!found || viewer === 'nobody') return sendNotFound(res)
  const { image, representation } = found
  call.sends(image.sha256)
  try {
    const send = () =>
      sendRepresentation(app.images.store, req, res, representation, {
        headers: () => headersOf(app, image, asked, call.decisions),
        save: asked.download !== null,
        isStandIn: asked !== charged.asked,
        admit: (bytes) => admit(res, call.takeBytes(bytes, signal)),
        sending: call,
      })
    await paidBy(call.payer, send)
  } catch (error) {
    // A purge may have come between the row and the bytes.
    if (error instanceof ObjectNotFound && !(await findImage(app, asked, viewer))) return sendNotFound(res)
    if (!raiseAlarm(app, error, { imageId: image.id, requestId })) throw error
    if (representation.key !== originalKey(image.sha256)) await app.images.variantLost(image.sha256)
    if (res.headersSent) return void res.destroy()
    writeText(res, 500, 'The bytes of this image are damaged or lost. Tell whoever runs this site.')
  }
}

/** From the cache of public images where possible, otherwise from the database. */
async function lookUp(
  { app, hot }: ChargedCall,
  asked: ByteRequest,
  viewer: Viewer | null,
): Promise<FoundImage | null> {
  const known = hot.get(addressOf(asked))
  if (known) return known
  const look = () => findImage(app, asked, viewer)
  return viewer ? hot.find(asked, look) : hot.findForGuest(asked, look)
}

/** Awaits permits, before a head promises bytes. True when they are granted; otherwise the refusal has been
 *  answered. */
export async function admit(res: ServerResponse, taking: Promise<Decision | null>): Promise<boolean> {
  try {
    const refused = await taking
    if (refused) writeRefusal(res, refused)
    return !refused
  } catch (error) {
    if (!(error instanceof CostAboveLimit)) throw error
    writeText(res, 403, 'This is more than anybody is sent here at a time.')
    return false
  }
}

/** The headers of an answer. No cache may keep it longer than it holds, or learn from it how much another client has
 *  left. */
export function headersOf(
  app: App,
  image: SentImage,
  { download }: ByteRequest,
  decisions: readonly Decision[],
): Record<string, string> {
  const isPublic = image.visibility !== 'private' && !image.trashedAt
  const limits = rateLimitHeaders(decisions)
  const resourcePolicy = { 'Cross-Origin-Resource-Policy': isPublic ? 'cross-origin' : 'same-origin' }
  // The same address will answer with more once there are permits again.
  if (decisions.some(({ degradedBy }) => degradedBy) && !holdsWhole(SMALL, image))
    return { ...resourcePolicy, ...limitHeaders(decisions), 'Cache-Control': 'no-store' }
  // A link ends with its holder's session; no cache hears of that.
  if (download !== null) return { ...resourcePolicy, ...limits, 'Cache-Control': 'no-store' }
  if (isPublic) return { ...resourcePolicy, 'Cache-Control': `public, max-age=${app.config.cacheSeconds}` }
  return { ...resourcePolicy, ...limits, 'Cache-Control': 'private, no-cache', Vary: 'Cookie, Authorization' }
}

/** Counts and logs an object that is missing or corrupt; false for every other error. */
export function raiseAlarm(app: App, error: unknown, details: object): boolean {
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

/** The image that an address names for a viewer, or null. Takes as many queries for a hidden image as for a missing
 *  one. */
export async function findImage(
  app: App,
  { slug, extension, width }: ByteRequest,
  viewer: Viewer | null,
): Promise<FoundImage | null> {
  const image = await app.db.image.findUnique({ where: { slug }, select: sentColumns })
  if (!image || extensionOf(image.mime) !== extension || !mayRead(viewer, image)) return null
  const representation = await representationOf(app.db, image, width)
  return representation && { image, representation }
}

/** The same of several at once, for a guest. */
export async function findForGuests(app: App, asked: readonly ByteRequest[]): Promise<readonly (FoundImage | null)[]> {
  const found = await findSent(app.db, asked)
  return found.map((each, index) => {
    const isThere = each && extensionOf(each.image.mime) === asked[index]?.extension && mayRead(null, each.image)
    return isThere ? each : null
  })
}

const sendNotFound = (res: ServerResponse): void => writeText(res, 404, 'There is no such image.')
