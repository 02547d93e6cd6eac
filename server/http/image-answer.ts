import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { create as contentDisposition } from 'content-disposition'
import type { Representation } from '#server/images/representation.ts'
import { type ByteRange, ObjectNotFound, type ObjectStore } from '#server/storage/object-store.ts'
import { isNotModified, rangeOf } from './conditional.ts'

type Headers = Record<string, string>

export interface Answer {
  readonly headers: Headers
  /** As an attachment, to be saved. */
  readonly save: boolean
}

/** Answers with one representation; false, having sent nothing, when the store does not have it. */
export async function sendRepresentation(
  store: ObjectStore,
  req: IncomingMessage,
  res: ServerResponse,
  representation: Representation,
  answer: Answer,
): Promise<boolean> {
  const { etag, mime, filename, size } = representation
  const type = answer.save ? 'attachment' : 'inline'
  const headers: Headers = { ...answer.headers, ETag: etag, 'Content-Type': mime }
  headers['Content-Disposition'] = contentDisposition(filename, { type })
  if (isNotModified(req.headers, etag)) {
    res.writeHead(304, { ...answer.headers, ETag: etag }).end()
    return true
  }
  const range = rangeOf(req.headers, etag, size)
  if (range === 'unsatisfiable') {
    sendText(res, 416, 'There are no such bytes.', { 'Content-Range': `bytes */${size}` })
    return true
  }
  headers['Accept-Ranges'] = 'bytes'
  if (req.method === 'HEAD') {
    res.writeHead(200, { ...headers, 'Content-Length': size }).end()
    return true
  }
  const opened = await openOrNull(store, representation, range)
  if (!opened) return false
  await stream(res, opened, range, headers)
  return true
}

async function openOrNull(store: ObjectStore, { key }: Representation, range: ByteRange | null) {
  return store.open(key, range ?? undefined).catch((error: unknown) => {
    if (error instanceof ObjectNotFound) return null
    throw error
  })
}

async function stream(
  res: ServerResponse,
  { body, size }: { body: Readable; size: number },
  range: ByteRange | null,
  headers: Headers,
): Promise<void> {
  const { start, end } = range ?? { start: 0, end: size - 1 }
  const partial: Headers = range ? { 'Content-Range': `bytes ${start}-${end}/${size}` } : {}
  res.writeHead(range ? 206 : 200, { ...headers, ...partial, 'Content-Length': end - start + 1 })
  await pipeline(body, res).catch((error: NodeJS.ErrnoException) => {
    // The client went away, as clients do.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}

/** A short answer in words, kept by no cache. */
export function sendText(res: ServerResponse, status: number, text: string, headers: Headers = {}): void {
  const body = `${text}\n`
  res
    .writeHead(status, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Length': Buffer.byteLength(body),
      ...headers,
    })
    .end(body)
}
