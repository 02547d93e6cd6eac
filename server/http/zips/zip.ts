import type { IncomingMessage, ServerResponse } from 'node:http'
import { makeZip, predictLength } from 'client-zip'
import { create as contentDisposition } from 'content-disposition'
import { tokenRequests } from '#server/accounts/tokens/token-limits.ts'
import { toCaller } from '#server/accounts/viewer.ts'
import { zipBytes, zipCalls, zipRoute } from '#server/images/zip/limits.ts'
import { rateLimitHeaders } from '#server/limits/headers.ts'
import { RETRY_SECONDS } from '#server/outage.ts'
import type { Services } from '#server/services.ts'
import { ObjectNotFound } from '#server/storage/object-store.ts'
import { writeTextProblem } from '../answers.ts'
import { AnswerPermits } from '../bytes/answer-permits.ts'
import { planRefusal, planTokenProblem } from '../bytes/answer-plan.ts'
import { raiseAlarm } from '../bytes/image-alarms.ts'
import { identifySender, isExempt } from '../bytes/image-reader.ts'
import { sendChunk, sendText } from '../bytes/send-answer.ts'
import { goneSignal } from '../client-gone.ts'
import { refuseInvalid } from '../invalid-request.ts'
import { tokenBytes } from '../limits.ts'
import { findEntries } from './zip-entries.ts'
import { openOrder } from './zip-order.ts'
import { begun, type ZipEntry, ZipReader } from './zip-reader.ts'

export const isZip = (url: string): boolean => /^\/api\/zip(?:\?|$)/.test(url)

/**
 * Serves the GET of a link made by image.downloadMany: sends the originals one after the other, as fast as the client
 * reads them. Charged before the head, which states the total length: if an object fails later, the connection is cut,
 * so that nobody takes a part for the whole zip.
 */
export async function handleZip(
  app: Services,
  req: IncomingMessage,
  res: ServerResponse,
  { address, requestId }: { readonly address: string; readonly requestId: string },
): Promise<void> {
  if (req.method !== 'GET') {
    if (await refuseInvalid(app, res, { address })) return
    return writeTextProblem(res, 405, (say) => say('http.onlyGet'), { Allow: 'GET', Connection: 'close' })
  }
  const order = await openOrder(app, req.url ?? '', address)
  if ('refusal' in order) return order.refusal ? sendText(res, planRefusal(order.refusal)) : sendNotFound(res)
  const { holder, ids, exportPart } = order
  const sent = await identifySender(app, req, address)
  const { tokenProblem, tokenRefusal } = sent
  if (tokenRefusal) return sendText(res, planRefusal(tokenRefusal))
  const caller = toCaller(tokenProblem ? sent.sender : holder, address)
  const exempt = isExempt(sent)
  const permits = new AnswerPermits({ app, label: zipRoute.label, caller, requestId })
  permits.endWith(res)
  const signal = goneSignal(res)
  if (tokenProblem) {
    const refusal = await permits.charge(tokenRequests(sent.sender), signal)
    return sendText(res, refusal ?? planTokenProblem(tokenProblem))
  }
  if (exempt) permits.exempt(zipRoute.sets)
  const refusedCall = await permits.charge(exempt ? [] : zipCalls(caller, holder, ids.length), signal)
  if (refusedCall) return sendText(res, refusedCall)
  const { entries, slugs } = await findEntries(app, order)
  if (slugs.length === 0 && exportPart === null) return sendNotFound(res)
  const bytes = Number(predictLength(entries))
  const requests = exempt ? [] : [...zipBytes(caller, slugs, bytes), ...tokenBytes(holder, bytes)]
  const refusedBytes = await permits.chargeBytes(requests, bytes, signal)
  if (refusedBytes) return sendText(res, refusedBytes)
  await sendZip(app, res, { permits, entries, bytes, requestId, name: zipName(exportPart) })
}

function zipName(exportPart: number | null): string {
  const day = new Date().toISOString().slice(0, 10)
  return exportPart === null ? `images-${day}.zip` : `sluice-export-${day}-part-${exportPart}.zip`
}

export interface Zip {
  readonly permits: AnswerPermits
  readonly entries: readonly ZipEntry[]
  readonly bytes: number
  readonly requestId: string
  readonly name: string
}

/** Writes a zip that has been charged. */
export async function sendZip(
  app: Services,
  res: ServerResponse,
  { permits, entries, bytes, requestId, name }: Zip,
): Promise<void> {
  const reader = new ZipReader(app.images.store, permits, res)
  try {
    // Until the first byte has arrived, a fault of the store can still get a complete answer.
    const files = await begun(reader.files(entries))
    if (res.closed) return
    res.writeHead(200, {
      ...rateLimitHeaders(permits.decisions),
      'Content-Type': 'application/zip',
      'Content-Length': String(bytes),
      'Content-Disposition': contentDisposition(name),
      'Cache-Control': 'no-store',
    })
    for await (const chunk of makeZip(files)) {
      if (res.closed) return
      await sendChunk(res, chunk, permits.transfer)
    }
    if (!res.closed) res.end()
  } catch (error) {
    if (res.closed) return
    // A purge may have happened after the row was read.
    if (error instanceof ObjectNotFound && !(await isThere(app, reader.imageId))) return endPurged(res)
    if (!raiseAlarm(app, error, { imageId: reader.imageId, requestId })) throw error
    if (res.headersSent) return void res.destroy()
    writeTextProblem(res, 500, (say) => say('http.zipDamaged'))
  } finally {
    reader.close()
  }
}

async function isThere({ db }: Pick<Services, 'db'>, id: string | null): Promise<boolean> {
  return id !== null && (await db.image.count({ where: { id } })) > 0
}

function endPurged(res: ServerResponse): void {
  if (res.headersSent) return void res.destroy()
  const headers = { 'Retry-After': String(RETRY_SECONDS) }
  writeTextProblem(res, 503, (say) => say('http.zipInterrupted'), headers)
}

export const sendNotFound = (res: ServerResponse): void => writeTextProblem(res, 404, (say) => say('http.zipNotFound'))
