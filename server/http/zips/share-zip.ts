import type { IncomingMessage, ServerResponse } from 'node:http'
import { predictLength } from 'client-zip'
import { toCaller } from '#server/accounts/viewer.ts'
import { zipBytes, zipCalls, zipRoute } from '#server/images/zip/limits.ts'
import { zipNames } from '#server/images/zip/zip-names.ts'
import type { Services } from '#server/services.ts'
import { shareBytes, shareRequest } from '#server/sharing/limits.ts'
import { needsVisit, type ShareRow } from '#server/sharing/share-row.ts'
import { sharedName } from '#server/sharing/shared-bytes.ts'
import { findShared, MAX_TOGETHER } from '#server/sharing/shared-images.ts'
import { AnswerPermits } from '../bytes/answer-permits.ts'
import { NO_VISIT } from '../bytes/answer-plan.ts'
import { sendText } from '../bytes/send-answer.ts'
import { hasVisit } from '../bytes/share-visit.ts'
import { goneSignal } from '../client-gone.ts'
import { sendNotFound, sendZip } from './zip.ts'
import type { ZipEntry } from './zip-reader.ts'

interface ShareZip {
  readonly share: ShareRow | null
  /** From 0. */
  readonly part: number
  readonly frame: { readonly address: string; readonly requestId: string }
}

/**
 * Serves a part of a zip of the originals that a share shows now: up to a hundred images in their order. Charged as the visitor's
 * zip, and to the share as a request for each image.
 */
export async function sendShareZip(
  app: Services,
  req: IncomingMessage,
  res: ServerResponse,
  { share, part, frame: { address, requestId } }: ShareZip,
): Promise<void> {
  const rows = share?.originals ? await findShared(app.db, share, part * MAX_TOGETHER) : []
  const caller = toCaller(null, address)
  const { use } = app.sharing
  const permits = new AnswerPermits({
    ...{ app, label: zipRoute.label, caller, requestId },
    onDecision: (decision, bytes) => {
      if (share) use.note(share, decision, bytes > 0 ? { bytes, address } : { requests: rows.length })
    },
  })
  permits.endWith(res)
  const signal = goneSignal(res)
  const ofShare = share && rows.length > 0 ? [shareRequest(share, rows.length)] : []
  const refusedCall = await permits.charge([...zipCalls(caller, null, rows.length), ...ofShare], signal)
  if (refusedCall) return sendText(res, refusedCall)
  if (!share || rows.length === 0) return sendNotFound(res)
  if (needsVisit(share) && !hasVisit(app, share, req)) return sendText(res, NO_VISIT)
  const names = zipNames(rows.map((row) => ({ filename: sharedName(share, row), mime: row.mime })))
  const entries = rows.map(({ id, sha256, size, createdAt }, index): ZipEntry => {
    return { name: names[index] ?? id, size, lastModified: createdAt, object: { imageId: id, sha256 } }
  })
  const bytes = Number(predictLength(entries))
  if (req.method === 'HEAD') {
    const headers = { 'Content-Type': 'application/zip', 'Content-Length': bytes, 'Cache-Control': 'no-store' }
    return void res.writeHead(200, headers).end()
  }
  const ids = rows.map(({ id }) => id)
  const refusedBytes = await permits.chargeBytes(
    [...zipBytes(caller, ids, bytes), shareBytes(share, bytes)],
    bytes,
    signal,
  )
  if (refusedBytes) return sendText(res, refusedBytes)
  const name = part === 0 ? 'images.zip' : `images-${part + 1}.zip`
  await sendZip(app, res, { permits, entries, bytes, requestId, name })
}
