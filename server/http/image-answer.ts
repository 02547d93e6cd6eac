import type { IncomingMessage, ServerResponse } from 'node:http'
import { create as contentDisposition } from 'content-disposition'
import type { Representation } from '#server/images/representation.ts'
import type { ObjectStore } from '#server/storage/object-store.ts'
import { writeText } from './answers.ts'
import { type BytePlan, planOf } from './byte-plan.ts'
import { rangesOf } from './byte-ranges.ts'
import { evaluate, isSameAsBefore } from './conditional.ts'
import { wholeSeconds } from './http-date.ts'
import { sendObject } from './send-object.ts'

export interface Answer {
  /** Those that a 304 carries too. */
  readonly headers: Readonly<Record<string, string>>
  /** As an attachment, to be saved. */
  readonly save: boolean
  /** Sent in place of what was asked for: whole, and with nothing that a client could take for a mark of the other. */
  readonly isStandIn: boolean
}

/** Answers with one representation, or with as much of it as is asked for. Throws as `sendObject` does. */
export async function sendRepresentation(
  store: ObjectStore,
  req: IncomingMessage,
  res: ServerResponse,
  representation: Representation,
  answer: Answer,
): Promise<void> {
  const { etag, mime, filename, size } = representation
  const disposition = contentDisposition(filename, { type: answer.save ? 'attachment' : 'inline' })
  if (answer.isStandIn) {
    const headers = { ...answer.headers, 'Content-Disposition': disposition, 'Accept-Ranges': 'none' }
    return send(store, req, res, { representation, plan: planOf(size, mime, null), headers })
  }
  const lastModified = wholeSeconds(representation.storedAt)
  const kept = { ...answer.headers, ETag: etag }
  const precondition = evaluate(req.headers, { etag, lastModified })
  if (precondition === 'failed') return writeText(res, 412, 'The image is not what you have.')
  if (precondition === 'not-modified') return void res.writeHead(304, kept).end()
  const isPartial = req.method === 'GET' && isSameAsBefore(req.headers, { etag, lastModified })
  const ranges = isPartial ? rangesOf(req.headers.range, size) : null
  if (ranges === 'unsatisfiable') {
    return writeText(res, 416, 'There are no such bytes.', { 'Content-Range': `bytes */${size}` })
  }
  const headers = {
    ...kept,
    'Last-Modified': lastModified.toUTCString(),
    'Content-Disposition': disposition,
    'Accept-Ranges': 'bytes',
  }
  await send(store, req, res, { representation, plan: planOf(size, mime, ranges), headers })
}

interface Sent {
  readonly representation: Representation
  readonly plan: BytePlan
  readonly headers: Readonly<Record<string, string>>
}

async function send(store: ObjectStore, req: IncomingMessage, res: ServerResponse, sent: Sent): Promise<void> {
  const { representation, plan, headers } = sent
  if (req.method === 'HEAD') return void res.writeHead(200, { ...headers, ...plan.headers }).end()
  await sendObject(store, res, representation, plan, headers)
}
