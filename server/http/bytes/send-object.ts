import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { ObjectCorrupt, type ObjectKey, type ObjectStore } from '#server/storage/object-store.ts'
import { type BytePlan, cut } from './byte-plan.ts'
import { sliceTurn } from './slice-turns.ts'

/** Bytes that are handed to a connection at a time, for it to take before there are more. */
export const SLICE_BYTES = 128 * 1024

/** Milliseconds for a slice of what is sent: whoever takes less than 2 kB a second is not waited for. */
const SLICE_MS = 60_000

/** Callbacks for the bytes that are sent. */
export interface Sending {
  /** So many bytes are being written to the connection. */
  hand(bytes: number): void
  /** Everything written has left this process. */
  markLeft(): void
}

/** Sends the parts of an object that `plan` says. Errors of the store are thrown: before the first byte no head is
 *  written yet, so that the caller can answer properly; later it must abort the answer. A client that disconnects is no
 *  error. Whenever this ends, the store's stream has ended or is destroyed. */
export async function sendObject(
  store: ObjectStore,
  res: ServerResponse,
  { key, size }: { readonly key: ObjectKey; readonly size: number },
  plan: BytePlan,
  headers: Readonly<Record<string, string>>,
  sending: Sending,
): Promise<void> {
  const held = store.held?.(key)
  if (held?.length === size) return sendSlices(res, [held.subarray(plan.read?.start ?? 0)], plan, headers, sending)
  const body = await open(store, key, size, plan)
  if (res.closed) return void body.destroy()
  res.once('close', () => body.destroy())
  try {
    await sendSlices(res, body, plan, headers, sending)
  } catch (error) {
    if (!res.closed) throw error
  } finally {
    body.destroy()
  }
}

/** Sends what a plan cuts from bytes: a slice, and when that has left the next. */
async function sendSlices(
  res: ServerResponse,
  body: AsyncIterable<Buffer> | Iterable<Buffer>,
  plan: BytePlan,
  headers: Readonly<Record<string, string>>,
  sending: Sending,
): Promise<void> {
  const bytes = cut(body, plan)
  const first = await bytes.next()
  if (res.closed) return
  res.writeHead(plan.status, { ...headers, ...plan.headers })
  if (!first.done) await sendChunk(res, first.value, sending)
  for await (const chunk of bytes) {
    await sliceTurn()
    if (res.closed) return
    await sendChunk(res, chunk, sending)
  }
  if (!res.closed) res.end()
}

/** Hands bytes to a connection, a slice when the one before has left. */
export async function sendChunk(res: ServerResponse, chunk: Uint8Array, sending: Sending): Promise<void> {
  for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
    const slice = chunk.subarray(at, at + SLICE_BYTES)
    if (at > 0) await sliceTurn()
    if (res.closed) return
    sending.hand(slice.length)
    if (!res.write(slice)) await drained(res)
    if (res.writableLength === 0 && !res.closed) sending.markLeft()
  }
}

async function open(store: ObjectStore, key: ObjectKey, size: number, { read }: BytePlan): Promise<Readable> {
  const opened = await store.open(key, read ?? undefined, size).catch((error: unknown) => {
    // The range lies within what the row says that there is.
    throw error instanceof RangeError ? new ObjectCorrupt('Shorter than it was stored', { cause: error }) : error
  })
  if (opened.size === size) return opened.body
  opened.body.on('error', () => undefined).destroy()
  throw new ObjectCorrupt(`${opened.size} bytes in place of ${size}`)
}

/** Waits until everything written has left; closes a connection that takes too long. */
function drained(res: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const patience = setTimeout(() => res.destroy(), SLICE_MS)
  const done = () => {
    clearTimeout(patience)
    res.off('drain', done).off('close', done)
    resolve()
  }
  res.on('drain', done).on('close', done)
  return promise
}
