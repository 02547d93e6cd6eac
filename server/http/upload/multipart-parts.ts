import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { BadRequest } from './bad-request.ts'
import { decodeSource } from './base64.ts'
import { FIELD_BYTES, isFileField, MAX_PARTS, type Part } from './part.ts'

/** Bytes of a file that wait for its reader, beside the chunk that brought them. */
const HELD = 16 * 1024

const LIMITS = { parts: MAX_PARTS, fieldSize: FIELD_BYTES, headerPairs: 20, headerSize: 16 * 1024 }

/**
 * The parts of a multipart form, one after the other: no more of the body is read than a part needs that is being read.
 * A part with the name of a file's field, but without a file name, is one that comes as text. Throws BadRequest.
 */
export async function* multipartParts(body: AsyncIterable<Buffer>, contentType: string): AsyncGenerator<Part> {
  const form = parserFor(contentType)
  const found = new Queue<Found>()
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
    const file = fileOfForm(stream)
    goOn(file)
    const bytes = bytesOf(file)
    const isText = filename === undefined || encoding === 'base64'
    found.add({ file, part: { kind: 'file', filename: filename ?? '', bytes: isText ? decodeSource(bytes) : bytes } })
  })
  form.once('error', (error) => fail(toldAs(error)))
  form.once('partsLimit', () => {
    goOn()
    found.end(new BadRequest('too-many-fields'))
  })
  form.once('finish', () => {
    goOn()
    found.end(null)
  })
  const left = new AbortController()
  feed(form, body, left.signal).catch((error: unknown) => {
    last?.stream.destroy(new Error('the form broke off', { cause: error }))
    fail(error)
  })
  try {
    for await (const { part, file } of found.all()) {
      yield part
      if (file) await passOver(file)
    }
  } finally {
    left.abort()
  }
}

interface Found {
  readonly part: Part
  readonly file?: FileOfForm
}

interface FileOfForm {
  readonly stream: Readable
  /** Kept when something follows the file, be it the form's end: its stream ends in the same way where the form is cut off. */
  readonly isWhole: PromiseWithResolvers<void>
}

function fileOfForm(stream: Readable): FileOfForm {
  stream.on('error', (error) => stream.destroy(error))
  const isWhole = Promise.withResolvers<void>()
  // Whoever reads to the end hears of it.
  isWhole.promise.catch(() => undefined)
  return { stream, isWhole }
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

async function feed(form: BusboyInstance, body: AsyncIterable<Buffer>, left: AbortSignal): Promise<void> {
  for await (const chunk of body) {
    if (left.aborted) return
    if (!form.write(chunk)) await once(form, 'drain', { signal: left })
  }
  form.end()
}

/** Does not end the file with its reader: the rest of it lies before the next part. */
async function* bytesOf({ stream, isWhole }: FileOfForm): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) yield chunk
    await isWhole.promise
  } catch (error) {
    throw toldAs(error)
  }
}

/** Of a file that was not read to its end, for it was no base64. */
async function passOver({ stream }: FileOfForm): Promise<void> {
  try {
    for await (const _ of stream.iterator({ destroyOnReturn: false }));
  } catch {
    // Told where it was read.
  }
}

/** What is wrong with a form, by the words of its parser, or with the body that it comes in. */
function toldAs(error: unknown): BadRequest {
  if (error instanceof BadRequest) return error
  if (!(error instanceof Error)) return new BadRequest('bad-form')
  if (error.cause instanceof BadRequest) return error.cause
  return new BadRequest(/unexpected end/i.test(error.message) ? 'incomplete' : 'bad-form')
}

/** What is added here is taken there, in order. */
class Queue<Item> {
  readonly #items: Item[] = []
  #end: { readonly error: unknown } | null = null
  #wake = (): void => undefined

  add(item: Item): void {
    this.#items.push(item)
    this.#wake()
  }

  /** The first end holds; null is a good one. */
  end(error: unknown): void {
    this.#end ??= { error }
    this.#wake()
  }

  async *all(): AsyncGenerator<Item> {
    for (;;) {
      const item = this.#items.shift()
      if (item !== undefined) yield item
      else if (this.#end) {
        if (this.#end.error !== null) throw this.#end.error
        return
      } else {
        const { promise, resolve } = Promise.withResolvers<void>()
        this.#wake = resolve
        await promise
      }
    }
  }
}
