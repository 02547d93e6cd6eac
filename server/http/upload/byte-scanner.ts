/** Reads a text by its bytes, of which it holds one chunk. */
export class ByteScanner {
  readonly #chunks: AsyncIterator<Buffer>
  #held: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** What has come and was not taken. */
  get held(): Buffer {
    return this.#held
  }

  /** Takes so many bytes of what is held. */
  take(count: number): Buffer {
    const taken = this.#held.subarray(0, count)
    this.#held = this.#held.subarray(count)
    return taken
  }

  /** Waits for a chunk more; false at the end. */
  async more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next()
    if (done) return false
    this.#held = this.#held.length > 0 ? Buffer.concat([this.#held, value]) : value
    return true
  }
}

/** Of pieces, the first so many bytes: all are read to their end. */
export async function collect(pieces: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  let all: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) if (all.length < most) all = Buffer.concat([all, piece]).subarray(0, most)
  return all
}
