import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

/** A file on this machine, and what its bytes are. */
export interface HashedFile {
  readonly path: string
  readonly size: number
  /** In hex. */
  readonly sha256: string
}

/** Bytes read at once, into the same memory each time: a buffer for each read, or each file, is garbage that stops everybody. */
const SLICE = 256 * 1024

/** Memory of files that have been read, for the next ones: as much as files were read at once. */
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
