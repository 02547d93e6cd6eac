import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { hashOfKey, type ObjectKey } from '../object-store.ts'
import { readFully } from './source.ts'

/** Bytes hashed at a time. */
const CHUNK = 256 * 1024
/** Copies remembered; a few MB of numbers. */
const REMEMBERED = 100_000

/** Which copies on disk this process has compared with the hashes in their keys: a crash or a bad disk may have damaged
 *  them earlier. */
export class VerifiedCopies {
  readonly #verified = new Set<number>()
  readonly #looks = new Map<number, Promise<boolean>>()

  add(id: number): void {
    const [oldest] = this.#verified
    if (this.#verified.size >= REMEMBERED && oldest !== undefined) this.#verified.delete(oldest)
    this.#verified.add(id)
  }

  /** Whether the file matches its key. The file is read on the first call only; concurrent callers share that read. */
  async isVerified(id: number, key: ObjectKey, size: number, handle: FileHandle): Promise<boolean> {
    if (this.#verified.has(id)) return true
    const look = this.#looks.get(id) ?? hashMatches(key, size, handle)
    this.#looks.set(id, look)
    try {
      const isVerified = await look
      if (isVerified) this.add(id)
      return isVerified
    } finally {
      this.#looks.delete(id)
    }
  }
}

async function hashMatches(key: ObjectKey, size: number, handle: FileHandle): Promise<boolean> {
  if ((await handle.stat()).size !== size) return false
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK, size))
  for (let at = 0; at < size; ) {
    const filled = await readFully(handle, buffer.subarray(0, Math.min(CHUNK, size - at)), at)
    if (filled === 0) return false
    hash.update(buffer.subarray(0, filled))
    at += filled
  }
  return hash.digest('hex') === hashOfKey(key)
}
