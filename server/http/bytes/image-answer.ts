import type { IncomingMessage, ServerResponse } from 'node:http'
import { create as contentDisposition } from 'content-disposition'
import type { Representation } from '#server/images/representation.ts'
import type { ObjectStore } from '#server/storage/object-store.ts'
import { writeText } from '../answers.ts'
import { removeSecurityHeaders } from '../security-headers.ts'
import { type BytePlan, bytesOf, planOf } from './byte-plan.ts'
import { rangesOf } from './byte-ranges.ts'
import { evaluate, isSameAsBefore } from './conditional.ts'
import { wholeSeconds } from './http-date.ts'
import { type Sending, sendObject } from './send-object.ts'

export interface Answer {
  /** Those that a 304 carries too. Asked for once all is decided. */
  readonly headers: () => Readonly<Record<string, string>>
  /** As an attachment, to be saved. */
  readonly save: boolean
  /** Sent in place of what was asked for: whole, and with nothing that a client could take for a mark of the other. */
  readonly isStandIn: boolean
  /** Takes for bytes that are about to leave. False where they may not: it has been answered then. */
  readonly admit: (bytes: number) => Promise<boolean>
  readonly sending: Sending
}

/** The headers of a representation that is sent, beside those that a 304 carries too. */
export function representationHeaders(
  { storedAt, filename }: Representation,
  { save }: { readonly save: boolean },
): Readonly<Record<string, string>> {
  return {
    'Last-Modified': wholeSeconds(storedAt).toUTCString(),
    'Content-Disposition': contentDisposition(filename, { type: save ? 'attachment' : 'inline' }),
    'Accept-Ranges': 'bytes',
  }
}

/** Answers with one representation, or with as much of it as is asked for. Throws as `sendObject` does. */
export async function sendRepresentation(
  store: ObjectStore,
  req: IncomingMessage,
  res: ServerResponse,
  representation: Representation,
  answer: Answer,
): Promise<void> {
  const { etag, mime, size } = representation
  const own = representationHeaders(representation, answer)
  if (answer.isStandIn) {
    const headers = { 'Content-Disposition': own['Content-Disposition'] ?? '', 'Accept-Ranges': 'none' }
    return send(store, req, res, { representation, plan: planOf(size, mime, null), headers, answer })
  }
  const lastModified = wholeSeconds(representation.storedAt)
  const precondition = evaluate(req.headers, { etag, lastModified })
  if (precondition === 'failed') return writeText(res, 412, 'The image is not what you have.')
  if (precondition === 'not-modified') {
    removeSecurityHeaders(res)
    return void res.writeHead(304, { ...answer.headers(), ETag: etag }).end()
  }
  const isPartial = req.method === 'GET' && isSameAsBefore(req.headers, { etag, lastModified })
  const ranges = isPartial ? rangesOf(req.headers.range, size) : null
  if (ranges === 'unsatisfiable') {
    return writeText(res, 416, 'There are no such bytes.', { 'Content-Range': `bytes */${size}` })
  }
  const headers = { ETag: etag, ...own }
  await send(store, req, res, { representation, plan: planOf(size, mime, ranges), headers, answer })
}

interface Sent {
  readonly representation: Representation
  readonly plan: BytePlan
  readonly headers: Readonly<Record<string, string>>
  readonly answer: Answer
}

async function send(store: ObjectStore, req: IncomingMessage, res: ServerResponse, sent: Sent): Promise<void> {
  const { representation, plan, headers, answer } = sent
  if (req.method === 'HEAD') {
    return void res.writeHead(200, { ...answer.headers(), ...headers, ...plan.headers }).end()
  }
  if (!(await answer.admit(bytesOf(plan)))) return
  await sendObject(store, res, representation, plan, { ...answer.headers(), ...headers }, answer.sending)
}
