import type { Readable } from 'node:stream'

/**
 * Where image bytes lie: on disk, or in a bucket. Objects are named by their content and never change, so that a put
 * may be repeated and a deletion of what is gone succeeds.
 */
export interface ObjectStore {
  /** 'disk in …' or 'bucket … at …', without credentials. */
  readonly description: string
  /** Keeps the `size` bytes of the file `source.path`; durable once it resolves, all or nothing when it does not. Nobody
   *  may write into that file any more, for it may be what is kept: to be removed, or put again, it is still its maker's. */
  put(key: ObjectKey, source: { readonly path: string }, size: number): Promise<void>
  /**
   * Reads an object, or the bytes of `range`, which must lie within it. Throws ObjectNotFound. The body of a whole read
   * ends well only when its bytes are those that the key names: its last chunk is held back until they are known to be,
   * and otherwise the stream fails with ObjectCorrupt. A source that breaks or stalls is StoreUnavailable.
   */
  open(key: ObjectKey, range?: ByteRange): Promise<OpenObject>
  /** The bytes of an object that are at hand in memory, verified; null where it must be opened. Asks nobody. */
  held?(key: ObjectKey): Buffer | null
  /** The object's bytes by number; null when there is no such object. */
  sizeOf(key: ObjectKey): Promise<number | null>
  /** Gives up at the signal; once it has settled, nothing more is deleted. */
  delete(key: ObjectKey, signal?: AbortSignal): Promise<void>
  /** Every object whose key begins with `prefix`, in no particular order. Fails rather than leave one out. */
  list(prefix: string): AsyncIterable<ListedObject>
  /** Throws when the store does not answer. Cheap enough to be asked every second. */
  check(): Promise<void>
  /**
   * Writes, reads, lists and deletes a probe, once, at the start. Throws CannotStart, saying in a sentence what to change;
   * answers what works but will hurt, a sentence each.
   */
  verify(): Promise<readonly string[]>
  /** Removes what puts that never ended have left since before an instant; answers how many there were. */
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

/** The bytes that a store gave are not those that the key names. */
export class ObjectCorrupt extends Error {
  override name = 'ObjectCorrupt'
}

/** The store does not answer, or asks for patience, and has been asked again already. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
}

/** A key in the one form that every store takes; nothing else becomes a path or a URL. It ends in the SHA-256 of the
 *  object's bytes. */
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
