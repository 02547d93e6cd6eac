/** Scans a text byte by byte. Keeps at most one chunk and an incomplete token in memory. */
export class ByteScanner {
  readonly #chunks: AsyncIterator<Buffer>
  #held: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** Bytes that have arrived and have not been taken. */
  get held(): Buffer {
    return this.#held
  }

  /** Takes this many of the held bytes. */
  take(count: number): Buffer {
    const taken = this.#held.subarray(0, count)
    this.#held = this.#held.subarray(count)
    return taken
  }

  /** Waits for the next chunk. Returns false at the end. */
  async more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next()
    if (done) return false
    this.#held = this.#held.length > 0 ? Buffer.concat([this.#held, value]) : value
    return true
  }
}

/** Returns the first `most` bytes. Reads all pieces to the end. */
export async function collect(pieces: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  let all: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) if (all.length < most) all = Buffer.concat([all, piece]).subarray(0, most)
  return all
}
