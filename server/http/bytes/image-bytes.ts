import type { IncomingMessage, ServerResponse } from 'node:http'
import { tokenRequests } from '#server/accounts/tokens/token-limits.ts'
import { toCaller, type Viewer } from '#server/accounts/viewer.ts'
import { type ByteRequest, parseByteRequest } from '#server/images/byte-request.ts'
import { type FoundImage, findByAddress } from '#server/images/image-by-address.ts'
import { SMALL_WIDTH } from '#server/images/variant.ts'
import type { Services } from '#server/services.ts'
import { ObjectNotFound, originalKey } from '#server/storage/object-store.ts'
import { goneSignal } from '../client-gone.ts'
import { refuseInvalid } from '../invalid-request.ts'
import { degradedPolicies } from '../limit-headers.ts'
import { imageSecurityHeaders } from '../security-headers.ts'
import { AnswerPermits, allOf } from './answer-permits.ts'
import { chargedBytes, DAMAGED, NOT_FOUND, planRefusal, planTokenProblem, WRONG_METHOD } from './answer-plan.ts'
import type { GuestImages } from './guest-images.ts'
import { raiseAlarm } from './image-alarms.ts'
import { bodyRequests, byteRequests, callRequests, chooseCallKind, type ImageCharges } from './image-charges.ts'
import { identifyReader, isExempt } from './image-reader.ts'
import { planAnswer, type SharedAnswer } from './plan-answer.ts'
import { sendAnswer, sendText } from './send-answer.ts'

/**
 * Serves GET and HEAD of `/i/<slug>.<ext>`. A well-formed request is charged once its session or token is known and
 * before the image is looked up, so that an unknown address costs the same. A token that may not read is refused at its
 * own expense.
 */
export async function handleImageBytes(
  app: Services,
  guestImages: GuestImages,
  req: IncomingMessage,
  res: ServerResponse,
  { address, requestId }: { readonly address: string; readonly requestId: string },
): Promise<void> {
  setImageHeaders(app, res)
  const isRead = req.method === 'GET' || req.method === 'HEAD'
  const asked = parseByteRequest(req.url ?? '')
  if (!isRead || !asked) {
    if (await refuseInvalid(app, res, { address })) return
    return sendText(res, isRead ? NOT_FOUND : WRONG_METHOD)
  }
  const reader = await identifyReader(app, req, asked, address)
  const { tokenDecision } = reader
  if (tokenDecision?.allowed === false) return sendText(res, planRefusal(tokenDecision))
  const kind = chooseCallKind(asked)
  const caller = toCaller(reader.viewer, address)
  const charges = { kind, asked, caller, isExempt: isExempt(reader), tokenHolder: reader.viewer }
  const permits = new AnswerPermits({ app, label: kind.route.label, caller, requestId })
  permits.endWith(res)
  const signal = goneSignal(res)
  if (reader.tokenProblem) {
    const refusal = await permits.charge(tokenRequests(reader.sender), signal)
    return sendText(res, refusal ?? planTokenProblem(reader.tokenProblem), {
      decisions: allOf(permits, tokenDecision),
    })
  }
  const isCheck = mayHaveNoBody(req)
  if (charges.isExempt) permits.exempt(isCheck ? kind.checks : kind.whole)
  const refusal = await permits.charge(callRequests(charges, { isCheck }), signal)
  if (refusal) return sendText(res, refusal)
  if (reader.isForged) permits.penalize()
  if (!reader.isAdmitted) return sendText(res, NOT_FOUND, permits)
  const lookUp = lookUpFor(app, guestImages, reader.viewer)
  await answerCall({ app, lookUp, req, res, permits, charges, signal, requestId }, isCheck)
}

/** Answers a call that has been charged, if `isCheck` as one. */
export async function answerCall(call: ChargedCall, isCheck: boolean): Promise<void> {
  const { res, permits, charges, signal } = call
  if (isCheck && (await answerWithoutBody(call))) return
  const refusedBody = isCheck ? await permits.charge(bodyRequests(charges), signal) : null
  if (refusedBody) return sendText(res, refusedBody)
  await answerCharged(call)
}

/** Whether a request is one that a client sends to learn whether its copy is current. */
export const mayHaveNoBody = ({ method, headers }: IncomingMessage): boolean =>
  method === 'HEAD' || headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined

/** Sets the headers of every answer of this route. */
export function setImageHeaders(app: Pick<Services, 'config'>, res: ServerResponse): void {
  const secure = app.config.origin.startsWith('https:')
  for (const [name, value] of Object.entries(imageSecurityHeaders({ secure }))) res.setHeader(name, value)
}

/** How the image of a call is found. */
export interface LookUp {
  find(asked: ByteRequest): Promise<FoundImage | null>
  /** The same as the database has it now. */
  findNow(asked: ByteRequest): Promise<FoundImage | null>
  /** Set for a request through a share. */
  readonly share?: SharedAnswer
}

/** Finds images for a viewer: public ones as they were up to a second ago. */
export const lookUpFor = (app: Services, guestImages: GuestImages, viewer: Viewer | null): LookUp => ({
  find: (asked) => guestImages.lookUp(asked, viewer),
  findNow: (asked) => findByAddress(app.db, asked, viewer),
})

interface ChargedCall {
  readonly app: Services
  readonly lookUp: LookUp
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly permits: AnswerPermits
  readonly charges: ImageCharges
  readonly signal: AbortSignal
  readonly requestId: string
}

/** Looks up the image of a charged call and plans the answer. */
async function planCharged({ app, lookUp, req, permits, charges }: ChargedCall) {
  const degradedBy = degradedPolicies(permits.decisions)
  const asked = degradedBy.length > 0 ? { ...charges.asked, width: SMALL_WIDTH } : charges.asked
  const found = await lookUp.find(asked)
  const { cacheSeconds } = app.site.read()
  const { method, headers } = req
  const facts = { method, headers, download: asked.download, degradedBy, cacheSeconds }
  const plan = planAnswer({ ...facts, ...(lookUp.share && { share: lookUp.share }) }, found)
  return { asked, found, plan }
}

/** Answers a check. Returns false, having sent nothing, if the answer has a body. */
async function answerWithoutBody(call: ChargedCall): Promise<boolean> {
  const { app, res, permits } = call
  const { found, plan } = await planCharged(call)
  if (chargedBytes(plan) > 0) return false
  if (found) permits.transfer.begin(found.image)
  await sendAnswer(app.images.store, res, plan, permits)
  return true
}

/** Answers a charged call: looks the image up, plans the answer, charges its bytes, and sends it. */
export async function answerCharged(call: ChargedCall): Promise<void> {
  const { app, res, permits, charges, signal } = call
  const { asked, found, plan } = await planCharged(call)
  if (found) permits.transfer.begin(found.image)
  const bytes = chargedBytes(plan)
  const refusal = await permits.chargeBytes(byteRequests(charges, bytes), bytes, signal)
  if (refusal) return sendText(res, refusal)
  try {
    await sendAnswer(app.images.store, res, plan, permits)
  } catch (error) {
    if (!found) throw error
    await answerFault(call, asked, found, error)
  }
}

/**
 * Answers if the store lacks what the row promises, unless the image has just been purged. Throws every other error.
 */
async function answerFault(
  { app, res, lookUp, permits, requestId }: ChargedCall,
  asked: ByteRequest,
  { image, representation }: FoundImage,
  error: unknown,
): Promise<void> {
  if (error instanceof ObjectNotFound && !(await lookUp.findNow(asked))) return sendText(res, NOT_FOUND, permits)
  if (!raiseAlarm(app, error, { imageId: image.id, requestId })) throw error
  if (representation.key !== originalKey(image.sha256)) await app.images.variantLost(image.sha256)
  if (res.headersSent) return void res.destroy()
  sendText(res, DAMAGED, permits)
}
