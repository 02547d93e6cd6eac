import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

/** A local file with its size and hash. */
export interface HashedFile {
  readonly path: string
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** Bytes per read. Buffers are reused, because a new one per read or file would cause long garbage collections. */
const SLICE = 256 * 1024

/** Buffers of finished reads, for the next files; as many as files were read concurrently. */
const free: Buffer[] = []

export async function hashFile(path: string): Promise<HashedFile> {
  await using file = await open(path, 'r')
  const slice = free.pop() ?? Buffer.allocUnsafeSlow(SLICE)
  try {
    const hash = createHash('sha256')
    let size = 0
    for (;;) {
      const { bytesRead } = await file.read(slice, 0, SLICE, size)
      if (bytesRead === 0) return { path, size, sha256: hash.digest('hex') }
      hash.update(slice.subarray(0, bytesRead))
      size += bytesRead
    }
  } finally {
    free.push(slice)
  }
}
