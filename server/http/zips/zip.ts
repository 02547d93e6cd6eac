import type { IncomingMessage, ServerResponse } from 'node:http'
import { makeZip, predictLength } from 'client-zip'
import { create as contentDisposition } from 'content-disposition'
import { translate } from '#messages/translate.ts'
import { tokenRequests } from '#server/accounts/tokens/token-limits.ts'
import { toCaller, type Viewer } from '#server/accounts/viewer.ts'
import { mayRead } from '#server/images/access.ts'
import { zipBytes, zipCalls, zipRoute } from '#server/images/zip/limits.ts'
import { zipNames } from '#server/images/zip/zip-names.ts'
import { rateLimitHeaders } from '#server/limits/headers.ts'
import { RETRY_SECONDS } from '#server/outage.ts'
import type { Services } from '#server/services.ts'
import { ObjectNotFound } from '#server/storage/object-store.ts'
import { writeText } from '../answers.ts'
import { AnswerPermits } from '../bytes/answer-permits.ts'
import { planRefusal, planTokenProblem } from '../bytes/answer-plan.ts'
import { raiseAlarm } from '../bytes/image-alarms.ts'
import { identifySender, isExempt } from '../bytes/image-reader.ts'
import { sendChunk, sendText } from '../bytes/send-answer.ts'
import { goneSignal } from '../client-gone.ts'
import { refuseInvalid } from '../invalid-request.ts'
import { tokenBytes } from '../limits.ts'
import { openOrder } from './zip-order.ts'
import { begun, type ZipEntry, ZipReader } from './zip-reader.ts'

export const isZip = (url: string): boolean => /^\/api\/zip(?:\?|$)/.test(url)

/** Lists the images that have been deleted since the link was made, or that its holder may no longer read. */
const LEFT_OUT = '_left-out.txt'

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
    return writeText(res, 405, translate('http.onlyGet'), { Allow: 'GET', Connection: 'close' })
  }
  const order = await openOrder(app, req.url ?? '', address)
  if ('refusal' in order) return order.refusal ? sendText(res, planRefusal(order.refusal)) : sendNotFound(res)
  const { holder, ids } = order
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
  const { entries, slugs } = await findEntries(app, holder, ids)
  if (slugs.length === 0) return sendNotFound(res)
  const bytes = Number(predictLength(entries))
  const requests = exempt ? [] : [...zipBytes(caller, slugs, bytes), ...tokenBytes(holder, bytes)]
  const refusedBytes = await permits.chargeBytes(requests, bytes, signal)
  if (refusedBytes) return sendText(res, refusedBytes)
  await send(app, res, { permits, entries, bytes, requestId })
}

/** Returns the entries of the zip in the requested order, and the slugs of their images. */
async function findEntries(
  app: Services,
  viewer: Viewer,
  ids: readonly string[],
): Promise<{ readonly entries: readonly ZipEntry[]; readonly slugs: readonly string[] }> {
  const rows = await app.db.image.findMany({
    where: { id: { in: [...ids] } },
    select: {
      ...{ id: true, slug: true, ownerId: true, sha256: true, mime: true, size: true, filename: true },
      ...{ visibility: true, createdAt: true, trashedAt: true },
    },
  })
  const readable = new Map(rows.flatMap((row) => (mayRead(viewer, row) ? [[row.id, row] as const] : [])))
  const images = ids.flatMap((id) => readable.get(id) ?? [])
  const names = zipNames(images, [LEFT_OUT])
  const entries = images.map(({ id, sha256, size, createdAt }, index): ZipEntry => {
    return { name: names[index] ?? id, size, lastModified: createdAt, object: { imageId: id, sha256 } }
  })
  const gone = ids.filter((id) => !readable.has(id))
  return { entries: gone.length > 0 ? [...entries, leftOut(gone)] : entries, slugs: images.map(({ slug }) => slug) }
}

function leftOut(ids: readonly string[]): ZipEntry {
  const text = `${translate('http.leftOut')}\n${ids.join('\n')}\n`
  return { name: LEFT_OUT, size: Buffer.byteLength(text), lastModified: new Date(), text }
}

interface Zip {
  readonly permits: AnswerPermits
  readonly entries: readonly ZipEntry[]
  readonly bytes: number
  readonly requestId: string
}

async function send(app: Services, res: ServerResponse, { permits, entries, bytes, requestId }: Zip): Promise<void> {
  const reader = new ZipReader(app.images.store, permits, res)
  try {
    // Until the first byte has arrived, a fault of the store can still get a complete answer.
    const files = await begun(reader.files(entries))
    if (res.closed) return
    res.writeHead(200, {
      ...rateLimitHeaders(permits.decisions),
      'Content-Type': 'application/zip',
      'Content-Length': String(bytes),
      'Content-Disposition': contentDisposition(`images-${new Date().toISOString().slice(0, 10)}.zip`),
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
    writeText(res, 500, translate('http.zipDamaged'))
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
  writeText(res, 503, translate('http.zipInterrupted'), headers)
}

const sendNotFound = (res: ServerResponse): void => writeText(res, 404, translate('http.zipNotFound'))
