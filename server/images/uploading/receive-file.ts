import { type FileHandle, open } from 'node:fs/promises'
import { TRPCError } from '@trpc/server'
import { SNIFF_BYTES } from '../format.ts'

export interface ReceiveOptions {
  /** The file to write; the caller removes it, whatever the outcome. */
  readonly path: string
  readonly maxBytes: number
  /** Aborted when the client goes away: the body's stream itself does not tell. */
  readonly signal?: AbortSignal | undefined
  /** Nobody else looks at the body's chunks, so that their memory is given back once they are written. */
  readonly isOwned?: boolean | undefined
  /** Told of each chunk's bytes. */
  onRead?(bytes: number): void
}

export type Received =
  | { readonly outcome: 'received'; readonly size: number; readonly head: Buffer }
  /** `read`: bytes taken before reading stopped, less than a chunk above the cap. */
  | { readonly outcome: 'too-large'; readonly read: number }
  | { readonly outcome: 'aborted' }

/** Bytes that are written at once: a write for each of the body's chunks costs more than the bytes do. */
const WRITE_BYTES = 512 * 1024
/** Chunks that are written at once, however small a client makes them: each is an object to keep, and a place in one call. */
const WRITE_CHUNKS = 256

/**
 * Writes a request's body to a file as fast as it comes, for its stream queues in memory what is not read. Stops at the
 * chunk that passes the cap.
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
      if (isOwned) waiting.forEach(giveBack)
      waiting.length = 0
      waitingBytes = 0
    }
    await writeAll(file, waiting)
    if (isOwned) waiting.forEach(giveBack)
    return { outcome: 'received', size, head }
  } catch (error) {
    // The HTTP adapter counts too, and ends the stream before the chunk that passes the cap.
    if (!(error instanceof TRPCError && error.code === 'PAYLOAD_TOO_LARGE')) throw error
    // What was queued before that is lost to us, but came: all that may.
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
    left = behind(left, bytesWritten)
  }
}

/**
 * Frees a chunk's memory, unless it is a part of some. Left to the collector it would wait until there are 32 MB, and
 * then all that lives would be looked at for it: every few photographs.
 */
function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

/** What is left of chunks when so many bytes are gone. */
function behind(chunks: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let gone = bytes
  return chunks.flatMap((chunk) => {
    const rest = chunk.subarray(Math.min(gone, chunk.length))
    gone -= chunk.length - rest.length
    return rest.length > 0 ? [rest] : []
  })
}
