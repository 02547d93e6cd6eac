import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { BadRequest } from './bad-request.ts'
import { decodeSource } from './base64.ts'
import { Demand } from './demand.ts'
import { FIELD_BYTES, isFileField, MAX_PARTS, type RequestPart } from './part.ts'
import { DemandQueue } from './queue.ts'

/** Bytes of a file that are buffered for its reader, in addition to the chunk that contained them. */
const HELD = 16 * 1024

const LIMITS = { parts: MAX_PARTS, fieldSize: FIELD_BYTES, headerPairs: 20, headerSize: 16 * 1024 }

/**
 * Yields the parts of a multipart form in order. Reads no more of the body than the current part needs. Calls `onFileEnd` at the
 * end of each file. A part in a file field without a file name is a file sent as text. Throws BadRequest.
 */
export async function* multipartParts(
  body: AsyncIterable<Buffer>,
  { contentType, onFileEnd = () => {} }: { readonly contentType: string; onFileEnd?(): void },
): AsyncGenerator<RequestPart> {
  const form = parserFor(contentType)
  const demand = new Demand()
  const found = new DemandQueue<Found>(demand)
  let last: FileOfForm | null = null
  const goOn = (next: FileOfForm | null = null) => {
    last?.isWhole.resolve()
    last = next
  }
  const fail = (problem: unknown) => {
    last?.isWhole.reject(problem)
    found.end(problem)
  }
  form.on('field', (name, value) => {
    goOn()
    found.add({ part: { kind: 'field', name: name ?? '', value } })
  })
  form.on('file', (_name, stream, filename: string | undefined, encoding) => {
    const file = fileOfForm(stream, demand)
    stream.once('end', onFileEnd)
    goOn(file)
    const bytes = readWholeBytes(file)
    const isText = filename === undefined || encoding === 'base64'
    found.add({ file, part: { kind: 'file', filename: filename ?? '', bytes: isText ? decodeSource(bytes) : bytes } })
  })
  form.once('error', (error) => fail(toBadRequest(error)))
  form.once('partsLimit', () => {
    goOn()
    found.end(new BadRequest('too-many-fields'))
  })
  form.once('finish', () => {
    goOn()
    found.end(null)
  })
  const left = new AbortController()
  feed(form, body, { demand, left: left.signal }).catch((error: unknown) => {
    last?.stream.destroy(new Error('the form was interrupted', { cause: error }))
    fail(error)
  })
  try {
    for await (const { part, file } of found.all()) {
      yield part
      if (file) await skipRest(file)
    }
  } finally {
    left.abort()
    demand.end()
  }
}

interface Found {
  readonly part: RequestPart
  readonly file?: FileOfForm
}

interface FileOfForm {
  readonly stream: Readable
  readonly demand: Demand
  /** Resolved when another part or the form's end follows. The stream alone does not show it: it ends in the same way when the
   *  form is cut off. */
  readonly isWhole: PromiseWithResolvers<void>
}

function fileOfForm(stream: Readable, demand: Demand): FileOfForm {
  stream.on('error', (error) => stream.destroy(error))
  const isWhole = Promise.withResolvers<void>()
  // A reader that reads to the end gets the error.
  isWhole.promise.catch(() => undefined)
  return { stream, demand, isWhole }
}

function parserFor(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: LIMITS,
      fileHwm: HELD,
      isPartAFile: (name = '', type = '', filename) =>
        filename !== undefined || isFileField(name) || /^(application\/octet-stream|image\/.+)$/.test(type),
    })
  } catch {
    throw new BadRequest('no-boundary')
  }
}

async function feed(
  form: BusboyInstance,
  body: AsyncIterable<Buffer>,
  { demand, left }: { readonly demand: Demand; readonly left: AbortSignal },
): Promise<void> {
  const chunks = body[Symbol.asyncIterator]()
  while (await demand.heard()) {
    const { done, value } = await chunks.next()
    if (done) return void form.end()
    if (!form.write(value)) await once(form, 'drain', { signal: left })
  }
}

/** Reads the file without closing it when the reader stops: its rest precedes the next part. */
async function* readBytes({ stream, demand }: FileOfForm): AsyncGenerator<Buffer> {
  const chunks = stream.iterator({ destroyOnReturn: false })
  for (;;) {
    const { done, value } = await demand.while(chunks.next())
    if (done) return
    yield value
  }
}

async function* readWholeBytes(file: FileOfForm): AsyncGenerator<Buffer> {
  try {
    yield* readBytes(file)
    await file.demand.while(file.isWhole.promise)
  } catch (error) {
    throw toBadRequest(error)
  }
}

/** Skips the rest of a file that was not read to its end, such as one with invalid base64. */
async function skipRest(file: FileOfForm): Promise<void> {
  try {
    for await (const _ of readBytes(file));
  } catch {
    // The reader of the file got the error.
  }
}

/** Returns the problem of a form, from the parser's message, or of the body that contains it. */
function toBadRequest(error: unknown): BadRequest {
  if (error instanceof BadRequest) return error
  if (!(error instanceof Error)) return new BadRequest('bad-form')
  if (error.cause instanceof BadRequest) return error.cause
  return new BadRequest(/unexpected end/i.test(error.message) ? 'incomplete' : 'bad-form')
}
