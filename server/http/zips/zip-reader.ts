import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { ObjectCorrupt, type ObjectStore, originalKey } from '#server/storage/object-store.ts'
import { paidBy } from '#server/storage/payer.ts'
import type { AnswerPermits } from '../bytes/answer-permits.ts'

/** A file of a zip: an image's original, or what is at hand. */
export interface ZipEntry {
  readonly name: string
  /** Bytes. */
  readonly size: number
  readonly lastModified: Date
  readonly object?: { readonly imageId: string; readonly sha256: string }
  readonly content?: string | Uint8Array
}

/** A file whose bytes are being read. */
interface ZipFile {
  readonly name: string
  readonly size: number
  readonly lastModified: Date
  readonly input: AsyncIterable<Uint8Array> | string | Uint8Array
}

/**
 * Reads the objects of a zip one at a time, charged to the client. Stops once the client disconnects or the zip is
 * closed.
 */
export class ZipReader {
  readonly #store: ObjectStore
  readonly #permits: AnswerPermits
  readonly #res: ServerResponse
  #body: Readable | null = null
  /** The image that is being read or was read last. */
  imageId: string | null = null

  constructor(store: ObjectStore, permits: AnswerPermits, res: ServerResponse) {
    this.#store = store
    this.#permits = permits
    this.#res = res
    res.once('close', () => this.close())
  }

  async *files(entries: readonly ZipEntry[]): AsyncGenerator<ZipFile> {
    for (const { object, content = '', ...entry } of entries) {
      if (!object) {
        yield { ...entry, input: content }
        continue
      }
      this.imageId = object.imageId
      this.#permits.transfer.begin({ id: object.imageId, sha256: object.sha256 })
      const bytes = this.#read(object.sha256, entry.size)
      // Opened before its header is sent.
      const first = await bytes.next()
      yield { ...entry, input: resumed(first, bytes) }
    }
  }

  close(): void {
    this.#body?.destroy()
  }

  async *#read(sha256: string, size: number): AsyncGenerator<Uint8Array, undefined> {
    const key = originalKey(sha256)
    const held = this.#store.held?.(key)
    const { transfer, payer } = this.#permits
    if (held?.length === size) {
      transfer.owe(size)
      return void (yield held)
    }
    const opened = await transfer.owing(size, () => paidBy(payer, () => this.#store.open(key)))
    this.#body = opened.body
    // Errors reach the reader through the iterator. Later ones can be ignored.
    opened.body.on('error', () => undefined)
    if (this.#res.closed) opened.body.destroy()
    if (opened.size !== size) {
      opened.body.destroy()
      throw new ObjectCorrupt(`${opened.size} bytes in place of ${size}`)
    }
    for await (const chunk of opened.body) yield chunk
  }
}

/** Returns the same stream after its first item has arrived. Throws if the first item fails. */
export async function begun<T>(stream: AsyncGenerator<T>): Promise<AsyncIterable<T>> {
  return resumed(await stream.next(), stream)
}

async function* resumed<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  if (first.done) return
  yield first.value
  yield* rest
}
