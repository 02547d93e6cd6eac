import type { Readable } from 'node:stream'

/** Where image bytes are stored: a disk or a bucket. A key ends in the SHA-256 of its object's bytes, so objects never
 *  change, a put may be repeated and every whole read is verified. Deleting a missing object succeeds. */
export interface ObjectStore {
  /** For logs: 'disk in …' or 'bucket … at …'. Contains no credentials. */
  readonly description: string
  /** Stores the `size` bytes of the file `source.path`. The object is durable when the promise resolves; when it
   *  rejects, nothing is stored. The caller must not write to the file again, because the store may keep that very
   *  file, but may delete it or put it again. */
  put(key: ObjectKey, source: { readonly path: string }, size: number): Promise<void>
  /**
   * Reads an object, or the bytes of `range`, which must lie within it. Throws ObjectNotFound. A whole read is
   * verified: the stream holds back its last chunk until the hash matches the key, and fails with ObjectCorrupt if it
   * does not. A source that is interrupted or stalls fails with ObjectStoreUnavailable. `size` is the object's size, if
   * the caller knows it; with it, a cache fetches an object of at most WHOLE_BYTES whole for any range.
   */
  open(key: ObjectKey, range?: ByteRange, size?: number): Promise<OpenObject>
  /** Returns the verified bytes of an object that is cached in memory, or null. Synchronous, with no I/O. */
  held?(key: ObjectKey): Buffer | null
  /** The object's size in bytes; null when it does not exist. */
  readSize(key: ObjectKey): Promise<number | null>
  /**
   * Deletes an object; a missing one is not an error. Aborts on the signal. Nothing is deleted after the promise has
   * settled.
   */
  delete(key: ObjectKey, signal?: AbortSignal): Promise<void>
  /** Lists every object whose key begins with `prefix`, in no particular order. Throws rather than skip an object. */
  list(prefix: string): AsyncIterable<ListedObject>
  /** Rejects when the store is unavailable. Cheap enough to call every second. */
  check(): Promise<void>
  /** Writes, reads, lists and deletes a probe object at startup. Throws CannotStart, whose message says what to change;
   *  returns warnings about what works but will cause trouble. */
  verify(): Promise<readonly string[]>
  /** Removes what interrupted puts that began before `before` left behind, and returns how many there were. */
  removeUnfinished(before: Date): Promise<number>
  close(): Promise<void>
}

/**
 * The size in bytes of the largest object that is fetched whole for any range of it, and to its end even if its readers
 * leave: whoever reads a range of it pays for the whole (server/http/bytes/answer-plan.ts).
 */
export const WHOLE_BYTES = 4 * 1024 * 1024

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

/** The store fails or throttles, even after retries. */
export class ObjectStoreUnavailable extends Error {
  override name = 'ObjectStoreUnavailable'
}

/** A validated key. Only these are turned into paths and URLs. It contains the SHA-256 of the object's bytes. */
export type ObjectKey = string & { readonly brand: 'ObjectKey' }

const PATTERN = /^[0-9a-f]{64}(?:\/w[1-9][0-9]{1,4}\.[0-9a-f]{64}\.webp)?$|^\d{8}T\d{6}Z\/rows\.[0-9a-f]{64}\.tar\.gz$/

export const isObjectKey = (text: string): text is ObjectKey => PATTERN.test(text)

/** Returns the key of an image's original. */
export const originalKey = (sha256: string): ObjectKey => checked(sha256)

/** Returns the key of a variant of image `sha256`, `width` pixels wide; `hash` is the SHA-256 of the variant's own
 *  bytes. */
export const variantKey = (sha256: string, width: number, hash: string): ObjectKey =>
  checked(`${sha256}/w${width}.${hash}.webp`)

/** Returns the key of a backup's snapshot, which sorts by its time. */
export const snapshotKey = (at: Date, hash: string): ObjectKey =>
  checked(`${at.toISOString().replace(/[-:]|\.\d+/g, '')}/rows.${hash}.tar.gz`)

/** Returns the SHA-256 of the bytes that the key names. */
export const hashOfKey = (key: ObjectKey): string => key.split('.')[1] ?? key

/** Returns the SHA-256 of the original that the key belongs to. */
export const imageOfKey = (key: ObjectKey): string => key.slice(0, 64)

function checked(text: string): ObjectKey {
  if (!isObjectKey(text)) throw new TypeError(`not an object key: ${JSON.stringify(text.slice(0, 100))}`)
  return text
}
