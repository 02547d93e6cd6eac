export interface Chunk {
  readonly type: string
  readonly data: Buffer
  /** The byte that makes its length even, as it was read. */
  readonly padding?: number | undefined
}

const HEAD_BYTES = 8

/** Far more than 1,000 frames and their surroundings: a bound for what 25 MB of empty chunks would take in memory. */
const MAX_CHUNKS = 10_000

/** The chunks of a RIFF file's or frame's payload; null when one, with its padding, passes the end, or there are too many. */
export function readChunks(payload: Buffer): Chunk[] | null {
  const chunks: Chunk[] = []
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

/** The bytes of chunks, with their heads, padded by zeros to even lengths. */
export function writeChunks(chunks: readonly Chunk[]): Buffer[] {
  return chunks.flatMap(({ type, data }) => {
    const head = Buffer.alloc(HEAD_BYTES)
    head.write(type, 'latin1')
    head.writeUInt32LE(data.length, 4)
    return data.length & 1 ? [head, data, Buffer.alloc(1)] : [head, data]
  })
}

/** Bytes that chunks take, heads and padding included. */
export function lengthOf(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, { data }) => sum + HEAD_BYTES + data.length + (data.length & 1), 0)
}
