import type { IncomingMessage, ServerResponse } from 'node:http'
import { predictLength } from 'client-zip'
import { toCaller } from '#server/accounts/viewer.ts'
import { furtherImages, zipBytes, zipCalls, zipRoute } from '#server/images/zip/limits.ts'
import { zipNames } from '#server/images/zip/zip-names.ts'
import type { Services } from '#server/services.ts'
import { shareBytes, shareRequest } from '#server/sharing/limits.ts'
import { needsVisit, type ShareRow } from '#server/sharing/share-row.ts'
import { sharedName } from '#server/sharing/shared-bytes.ts'
import { findShared, MAX_TOGETHER } from '#server/sharing/shared-images.ts'
import { AnswerPermits } from '../bytes/answer-permits.ts'
import { NO_VISIT } from '../bytes/answer-plan.ts'
import { sendText } from '../bytes/send-answer.ts'
import { findShareOf, hasVisit } from '../bytes/share-visit.ts'
import { goneSignal } from '../client-gone.ts'
import { limitHeaders } from '../limit-headers.ts'
import { sendNotFound, sendZip } from './zip.ts'
import type { ZipEntry } from './zip-reader.ts'

interface ShareZip {
  readonly key: string
  /** From 0. */
  readonly part: number
  readonly frame: { readonly address: string; readonly requestId: string }
}

/**
 * Serves a part of a zip of the originals that a share shows now: up to a hundred images in their order. Charged as the visitor's
 * zip, for its first image before the others are looked up, and to the share as a request for each image that is sent.
 */
export async function sendShareZip(
  app: Services,
  req: IncomingMessage,
  res: ServerResponse,
  { key, part, frame: { address, requestId } }: ShareZip,
): Promise<void> {
  const caller = toCaller(null, address)
  let shown: { readonly share: ShareRow; readonly images: number } | null = null
  const permits = new AnswerPermits({
    ...{ app, label: zipRoute.label, caller, requestId },
    onDecision: (decision, bytes) => {
      if (shown)
        app.sharing.use.note(shown.share, decision, bytes > 0 ? { bytes, address } : { requests: shown.images })
    },
  })
  permits.endWith(res)
  const signal = goneSignal(res)
  const refused = await permits.charge(zipCalls(caller, null, 1), signal)
  if (refused) return sendText(res, refused)
  if (app.sharing.keys.openKey(key) === null) permits.penalize()
  const share = await findShareOf(app, key)
  const rows = share?.originals ? await findShared(app.db, share, part * MAX_TOGETHER) : []
  if (!share || rows.length === 0) return sendNotFound(res, permits)
  if (needsVisit(share) && !hasVisit(app, share, req)) return sendText(res, NO_VISIT, permits)
  const names = zipNames(rows.map((row) => ({ filename: sharedName(share, row), mime: row.mime })))
  const entries = rows.map(({ id, sha256, size, createdAt }, index): ZipEntry => {
    return { name: names[index] ?? id, size, lastModified: createdAt, object: { imageId: id, sha256 } }
  })
  const bytes = Number(predictLength(entries))
  if (req.method === 'HEAD') {
    const own = { 'Content-Type': 'application/zip', 'Content-Length': bytes, 'Cache-Control': 'no-store' }
    const headers = { ...limitHeaders(permits.decisions), ...own }
    return void res.writeHead(200, headers).end()
  }
  shown = { share, images: rows.length }
  const ids = rows.map(({ id }) => id)
  const requests = [
    ...furtherImages(caller, rows.length - 1),
    ...zipBytes(caller, ids, bytes),
    shareRequest(share, caller, rows.length),
    shareBytes(share, caller, bytes),
  ]
  const refusedBytes = await permits.chargeBytes(requests, bytes, signal)
  if (refusedBytes) return sendText(res, refusedBytes)
  const name = part === 0 ? 'images.zip' : `images-${part + 1}.zip`
  await sendZip(app, res, { permits, entries, bytes, requestId, name })
}
