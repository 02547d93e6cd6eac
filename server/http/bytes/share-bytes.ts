import type { IncomingMessage, ServerResponse } from 'node:http'
import { toCaller } from '#server/accounts/viewer.ts'
import type { ByteRequest } from '#server/images/byte-request.ts'
import type { Services } from '#server/services.ts'
import { findLiveShare, isFleeting, needsVisit, type ShareRow } from '#server/sharing/share-row.ts'
import { findSharedBytes } from '#server/sharing/shared-bytes.ts'
import { goneSignal } from '../client-gone.ts'
import { refuseInvalid } from '../invalid-request.ts'
import { sendShareZip } from '../zips/share-zip.ts'
import { AnswerPermits } from './answer-permits.ts'
import { NO_VISIT, NOT_FOUND, WRONG_METHOD } from './answer-plan.ts'
import { answerCall, type LookUp, mayHaveNoBody, setImageHeaders } from './image-bytes.ts'
import { callRequests, chooseCallKind } from './image-charges.ts'
import { sendText } from './send-answer.ts'
import { parseShareRequest, type ShareRequest } from './share-request.ts'
import { hasVisit } from './share-visit.ts'

type Frame = { readonly address: string; readonly requestId: string }

/**
 * Serves GET and HEAD of `/i/s/<key>/<image>.<ext>`, the bytes that a share has given out. The share's row is read at each request
 * and nothing is believed for a second, so that an end holds from the next request on. Visitors are charged by their address before
 * anything is looked up, and the share with the bytes, in one decision.
 */
export async function handleShareBytes(
  app: Services,
  req: IncomingMessage,
  res: ServerResponse,
  frame: Frame,
): Promise<void> {
  setImageHeaders(app, res)
  const isRead = req.method === 'GET' || req.method === 'HEAD'
  const request = parseShareRequest(req.url ?? '')
  if (!isRead || !request) {
    if (await refuseInvalid(app, res, frame)) return
    return sendText(res, isRead ? NOT_FOUND : WRONG_METHOD)
  }
  if (request.kind === 'zip') return sendShareZip(app, req, res, { key: request.key, part: request.part, frame })
  await answerImage(app, req, res, request, frame)
}

async function answerImage(
  app: Services,
  req: IncomingMessage,
  res: ServerResponse,
  { key, name, asked }: Extract<ShareRequest, { kind: 'image' }>,
  { address, requestId }: Frame,
): Promise<void> {
  const { keys, use } = app.sharing
  const shareId = keys.openKey(key)
  const imageId = shareId === null ? name : keys.openName(shareId, name)
  const named = { ...asked, slug: imageId }
  const kind = chooseCallKind(named)
  const caller = toCaller(null, address)
  const visitor = { kind, asked: named, caller, isExempt: false, tokenHolder: null }
  let share: ShareRow | null = null
  const permits = new AnswerPermits({
    ...{ app, label: kind.route.label, caller, requestId },
    onDecision: (decision, bytes) => {
      if (share && bytes > 0) use.note(share, decision, { requests: 1, bytes, address })
    },
  })
  permits.endWith(res)
  const signal = goneSignal(res)
  const isCheck = mayHaveNoBody(req)
  const refusal = await permits.charge(callRequests(visitor, { isCheck }), signal)
  if (refusal) return sendText(res, refusal)
  share = shareId === null ? null : await findLiveShare(app.db, { id: shareId })
  if (shareId === null) permits.penalize()
  if (!share) return sendText(res, NOT_FOUND, permits)
  if (needsVisit(share) && !hasVisit(app, share, req)) return sendText(res, NO_VISIT, permits)
  const lookUp = lookUpIn(app, share, imageId)
  const charges = { ...visitor, share }
  await answerCall({ app, lookUp, req, res, permits, charges, signal, requestId }, isCheck)
}

function lookUpIn({ db }: Services, share: ShareRow, imageId: string): LookUp {
  const find = (asked: ByteRequest) => findSharedBytes(db, share, { ...asked, imageId })
  return { find, findNow: find, share: { isFleeting: isFleeting(share), isOpen: !needsVisit(share) } }
}
