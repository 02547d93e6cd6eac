export interface RiffChunk {
  readonly type: string
  readonly data: Buffer
  /** The padding byte that makes its length even, as read. */
  readonly padding?: number | undefined
}

const HEAD_BYTES = 8

/** Far more than 1,000 frames need. Bounds the memory that 25 MB of empty chunks would take. */
const MAX_CHUNKS = 10_000

/** Reads the chunks of a RIFF payload; null when one exceeds the end, including its padding, or there are too many. */
export function readChunks(payload: Buffer): RiffChunk[] | null {
  const chunks: RiffChunk[] = []
  let at = 0
  while (at < payload.length) {
    if (at + HEAD_BYTES > payload.length || chunks.length === MAX_CHUNKS) return null
    const start = at + HEAD_BYTES
    const end = start + payload.readUInt32LE(at + 4)
    const type = payload.toString('latin1', at, at + 4)
    at = end + (end & 1)
    if (at > payload.length) return null
    chunks.push({ type, data: payload.subarray(start, end), padding: end === at ? 0 : payload[end] })
  }
  return chunks
}

/** Returns the bytes of chunks with their headers, zero-padded to even lengths. */
export function writeChunks(chunks: readonly RiffChunk[]): Buffer[] {
  return chunks.flatMap(({ type, data }) => {
    const head = Buffer.alloc(HEAD_BYTES)
    head.write(type, 'latin1')
    head.writeUInt32LE(data.length, 4)
    return data.length & 1 ? [head, data, Buffer.alloc(1)] : [head, data]
  })
}

/** Returns the length of chunks in bytes, including headers and padding. */
export function countChunkBytes(chunks: readonly RiffChunk[]): number {
  return chunks.reduce((sum, { data }) => sum + HEAD_BYTES + data.length + (data.length & 1), 0)
}
