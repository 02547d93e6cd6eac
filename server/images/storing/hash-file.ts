import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** A file on this machine, and what its bytes are. */
export interface HashedFile {
  readonly path: string
  readonly size: number
  /** In hex. */
  readonly sha256: string
}

export async function hashFile(path: string): Promise<HashedFile> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    hash.update(chunk)
    size += chunk.length
  }
  return { path, size, sha256: hash.digest('hex') }
}
