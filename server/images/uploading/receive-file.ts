import { type FileHandle, open } from 'node:fs/promises'
import { TRPCError } from '@trpc/server'
import { SNIFF_BYTES } from '../format.ts'

export interface ReceiveOptions {
  /** The file to write. The caller deletes it, whatever the outcome. */
  readonly path: string
  readonly maxBytes: number
  /** Aborted when the client disconnects, which the body's stream does not report. */
  readonly signal?: AbortSignal | undefined
  /** The chunks are not shared with other code, so their memory can be freed once they are written. */
  readonly isOwned?: boolean | undefined
  /** Called with the bytes of each chunk. */
  onRead?(bytes: number): void
}

export type Received =
  | { readonly outcome: 'received'; readonly size: number; readonly head: Buffer }
  /** `read`: bytes read before reading stopped, less than a chunk above the limit. */
  | { readonly outcome: 'too-large'; readonly read: number }
  | { readonly outcome: 'aborted' }

/** Bytes per write. One write per chunk would cost more than the bytes themselves. */
const WRITE_BYTES = 512 * 1024
/** The most chunks per write, however small they are: each takes memory, and a place in one system call. */
const WRITE_CHUNKS = 256

/**
 * Writes a request's body to a file as fast as it arrives, because the stream queues unread bytes in memory. Stops at the chunk
 * that exceeds the limit.
 */
export async function receiveFile(body: ReadableStream<Uint8Array>, options: ReceiveOptions): Promise<Received> {
  const { path, maxBytes, signal, isOwned } = options
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => undefined)
  signal?.addEventListener('abort', cancel, { once: true })
  let head = Buffer.alloc(0)
  let size = 0
  const waiting: Uint8Array[] = []
  let waitingBytes = 0
  try {
    if (signal?.aborted) return { outcome: 'aborted' }
    await using file = await open(path, 'wx', 0o600)
    for (;;) {
      const { done, value } = await reader.read()
      if (value) options.onRead?.(value.byteLength)
      if (signal?.aborted) return { outcome: 'aborted' }
      if (done) break
      size += value.byteLength
      if (size > maxBytes) return { outcome: 'too-large', read: size }
      if (head.length < SNIFF_BYTES)
        head = Buffer.concat([head, value.subarray(0, SNIFF_BYTES)]).subarray(0, SNIFF_BYTES)
      waiting.push(value)
      waitingBytes += value.byteLength
      if (waitingBytes < WRITE_BYTES && waiting.length < WRITE_CHUNKS) continue
      await writeAll(file, waiting)
      if (isOwned) waiting.forEach(free)
      waiting.length = 0
      waitingBytes = 0
    }
    await writeAll(file, waiting)
    if (isOwned) waiting.forEach(free)
    return { outcome: 'received', size, head }
  } catch (error) {
    // The HTTP adapter counts too, and ends the stream before the chunk that exceeds the limit.
    if (!(error instanceof TRPCError && error.code === 'PAYLOAD_TOO_LARGE')) throw error
    // Chunks queued before that are lost but were received. So the whole limit counts as read.
    options.onRead?.(Math.max(0, maxBytes - size))
    return { outcome: 'too-large', read: size }
  } finally {
    signal?.removeEventListener('abort', cancel)
    reader.releaseLock()
  }
}

async function writeAll(file: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  let left = chunks
  while (left.length > 0) {
    const { bytesWritten } = await file.writev(left)
    left = withoutFirst(left, bytesWritten)
  }
}

/**
 * Frees a chunk's memory, unless the chunk is a view of a larger buffer. The garbage collector would wait for 32 MB and then
 * examine the whole heap, every few photos.
 */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

/** Returns the chunks without their first `bytes` bytes. */
function withoutFirst(chunks: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let gone = bytes
  return chunks.flatMap((chunk) => {
    const rest = chunk.subarray(Math.min(gone, chunk.length))
    gone -= chunk.length - rest.length
    return rest.length > 0 ? [rest] : []
  })
}
