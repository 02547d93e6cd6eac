import type { IncomingMessage, ServerResponse } from 'node:http'
import { makeZip, predictLength } from 'client-zip'
import { create as contentDisposition } from 'content-disposition'
import { tokenRequests } from '#server/accounts/tokens/token-limits.ts'
import { toCaller } from '#server/accounts/viewer.ts'
import { zipBytes, zipCalls, zipRoute } from '#server/images/zip/limits.ts'
import { RETRY_SECONDS } from '#server/outage.ts'
import type { Services } from '#server/services.ts'
import { ObjectNotFound } from '#server/storage/object-store.ts'
import { writeTextProblem } from '../answers.ts'
import { AnswerPermits, allOf } from '../bytes/answer-permits.ts'
import { planRefusal, planTokenProblem } from '../bytes/answer-plan.ts'
import { raiseAlarm } from '../bytes/image-alarms.ts'
import { identifySender, isExempt } from '../bytes/image-reader.ts'
import { sendChunk, sendText } from '../bytes/send-answer.ts'
import { goneSignal } from '../client-gone.ts'
import { refuseInvalid } from '../invalid-request.ts'
import { limitHeaders } from '../limit-headers.ts'
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
  if ('charged' in order) {
    const { charged } = order
    return charged.allowed ? sendNotFound(res, { decisions: [charged] }) : sendText(res, planRefusal(charged))
  }
  const { holder, ids, exportPart } = order
  const sent = await identifySender(app, req, address)
  const { tokenProblem, tokenDecision } = sent
  if (tokenDecision?.allowed === false) return sendText(res, planRefusal(tokenDecision))
  const caller = toCaller(tokenProblem ? sent.sender : holder, address)
  const exempt = isExempt(sent)
  const permits = new AnswerPermits({ app, label: zipRoute.label, caller, requestId })
  permits.endWith(res)
  const signal = goneSignal(res)
  if (tokenProblem) {
    const refusal = await permits.charge(tokenRequests(sent.sender), signal)
    return sendText(res, refusal ?? planTokenProblem(tokenProblem), { decisions: allOf(permits, tokenDecision) })
  }
  if (exempt) permits.exempt(zipRoute.sets)
  const refusedCall = await permits.charge(exempt ? [] : zipCalls(caller, holder, ids.length), signal)
  if (refusedCall) return sendText(res, refusedCall)
  const { entries, slugs } = await findEntries(app, order)
  if (slugs.length === 0 && exportPart === null) return sendNotFound(res, permits)
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
      ...limitHeaders(permits.decisions),
      'Content-Type': 'application/zip',
      'Content-Length': String(bytes),
      'Content-Disposition': contentDisposition(name),
      'Cache-Control': 'no-store',
    })
    for await (const chunk of makeZip(files)) {
      if (res.closed) return
      await sendChunk(res, chunk, permits)
    }
    if (!res.closed) res.end()
  } catch (error) {
    if (res.closed) return
    // A purge may have happened after the row was read.
    if (error instanceof ObjectNotFound && !(await isThere(app, reader.imageId))) return endPurged(res, permits)
    if (!raiseAlarm(app, error, { imageId: reader.imageId, requestId })) throw error
    if (res.headersSent) return void res.destroy()
    writeTextProblem(res, 500, (say) => say('http.zipDamaged'), limitHeaders(permits.decisions))
  } finally {
    reader.close()
  }
}

async function isThere({ db }: Pick<Services, 'db'>, id: string | null): Promise<boolean> {
  return id !== null && (await db.image.count({ where: { id } })) > 0
}

function endPurged(res: ServerResponse, { decisions }: AnswerPermits): void {
  if (res.headersSent) return void res.destroy()
  const headers = { ...limitHeaders(decisions), 'Retry-After': String(RETRY_SECONDS) }
  writeTextProblem(res, 503, (say) => say('http.zipInterrupted'), headers)
}

/** Answers that there is no zip, with what has been charged for that. */
export const sendNotFound = (res: ServerResponse, { decisions }: Pick<AnswerPermits, 'decisions'>): void =>
  writeTextProblem(res, 404, (say) => say('http.zipNotFound'), limitHeaders(decisions))
