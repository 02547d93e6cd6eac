import type { Readable } from 'node:stream'

/** The port to where image bytes are stored: a disk or a bucket. Objects are addressed by the hash of their content and
 *  never change, so a put may be repeated, and deleting a missing object succeeds. */
export interface ObjectStore {
  /** For logs: 'disk in …' or 'bucket … at …', without credentials. */
  readonly description: string
  /** Stores the `size` bytes of the file `source.path`: durable once it resolves, and nothing is stored when it
   *  rejects. The file must not be written to any more, because the store may keep that very file; its maker may still
   *  remove it, or put it again. */
  put(key: ObjectKey, source: { readonly path: string }, size: number): Promise<void>
  /** Reads an object, or the bytes of `range`, which must lie within it. Throws ObjectNotFound. The stream of a whole
   *  read ends only when the hash of its bytes is that of the key: the last chunk is held back until then, and
   *  otherwise the stream fails with ObjectCorrupt. A source that breaks or stalls is StoreUnavailable. `size` is the
   *  object's, where the reader knows it: a cache fetches the whole object for a range of at least half of it. */
  open(key: ObjectKey, range?: ByteRange, size?: number): Promise<OpenObject>
  /** The verified bytes of an object that is cached in memory; null where it must be opened. Asks nobody. */
  held?(key: ObjectKey): Buffer | null
  /** The object's size in bytes; null when it does not exist. */
  sizeOf(key: ObjectKey): Promise<number | null>
  /** Deletes an object; a missing one is no error. Aborts at the signal; once the promise has settled, nothing more is
   *  deleted. */
  delete(key: ObjectKey, signal?: AbortSignal): Promise<void>
  /** Every object whose key begins with `prefix`, in no particular order. Fails rather than leave one out. */
  list(prefix: string): AsyncIterable<ListedObject>
  /** Rejects when the store does not answer. Cheap enough to be called every second. */
  check(): Promise<void>
  /** Writes, reads, lists and deletes a probe object at start. Throws CannotStart with a sentence on what to change;
   *  resolves with a sentence for each thing that works but will cause trouble. */
  verify(): Promise<readonly string[]>
  /** Removes the remains of puts that were begun before an instant and never ended; resolves with how many there
   *  were. */
  removeUnfinished(before: Date): Promise<number>
  close(): Promise<void>
}

/** The first and the last byte, both included, counted from 0. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface OpenObject {
  readonly body: Readable
  /** Bytes of the whole object, also when a range is read. */
  readonly size: number
}

export interface ListedObject {
  readonly key: ObjectKey
  readonly size: number
  readonly modifiedAt: Date
}

export class ObjectNotFound extends Error {
  override name = 'ObjectNotFound'
}

/** The bytes that a store returned do not match the hash in the key. */
export class ObjectCorrupt extends Error {
  override name = 'ObjectCorrupt'
}

/** The store does not answer or throttles, even after retries. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
}

/** A key that has been checked: only such keys become a path or a URL. It contains the SHA-256 of the object's
 *  bytes. */
export type ObjectKey = string & { readonly brand: 'ObjectKey' }

const PATTERN = /^[0-9a-f]{64}(?:\/w[1-9][0-9]{1,4}\.[0-9a-f]{64}\.webp)?$/

export const isObjectKey = (text: string): text is ObjectKey => PATTERN.test(text)

/** The key of an image's bytes. */
export const originalKey = (sha256: string): ObjectKey => checked(sha256)

/** The key of a smaller rendering of the image `sha256`, made for `width` pixels; `hash` is the SHA-256 of its own bytes. */
export const variantKey = (sha256: string, width: number, hash: string): ObjectKey =>
  checked(`${sha256}/w${width}.${hash}.webp`)

/** The SHA-256 that the bytes under a key have. */
export const hashOfKey = (key: ObjectKey): string => key.split('.')[1] ?? key

/** The image whose object a key names. */
export const imageOfKey = (key: ObjectKey): string => key.slice(0, 64)

function checked(text: string): ObjectKey {
  if (!isObjectKey(text)) throw new TypeError(`Not an object key: ${JSON.stringify(text.slice(0, 100))}`)
  return text
}
