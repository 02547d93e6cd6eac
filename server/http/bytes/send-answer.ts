import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { rateLimitHeaders } from '#server/limits/headers.ts'
import { bytesIn, rangeWithin } from '#server/storage/byte-range.ts'
import { ObjectCorrupt, type ObjectStore } from '#server/storage/object-store.ts'
import { paidBy } from '#server/storage/payer.ts'
import { writeTextProblem } from '../answers.ts'
import { limitHeaders } from '../limit-headers.ts'
import { removeSecurityHeaders } from '../security-headers.ts'
import type { AnswerPermits } from './answer-permits.ts'
import { type AnswerPlan, chargedBytes, type ObjectBody, type TextPlan } from './answer-plan.ts'
import { sliceTurn } from './slice-turns.ts'
import { SLICE_BYTES } from './transfer.ts'

/** Milliseconds per slice: a client that reads less than 2 kB a second is disconnected. */
const SLICE_MS = 60_000

/** Sends a text, which no cache keeps, with the limits that have been charged so far. */
export function sendText(
  res: ServerResponse,
  { status, headers, body }: TextPlan,
  { decisions }: Pick<AnswerPermits, 'decisions'> = NOTHING_CHARGED,
): void {
  writeTextProblem(res, status, body, { ...limitHeaders(decisions), ...headers })
}

const NOTHING_CHARGED = { decisions: [] }

/**
 * Writes a planned and charged answer. Throws errors of the store: before the first byte no head has been written, so
 * the caller can still send a complete answer; later it must cut the connection. A client that disconnects is not an
 * error. When this ends, the store's stream has ended or is destroyed.
 */
export async function sendAnswer(
  store: ObjectStore,
  res: ServerResponse,
  { status, headers, showsLimits, body }: AnswerPlan,
  permits: AnswerPermits,
): Promise<void> {
  if (typeof body === 'function') return sendText(res, { status, headers, showsLimits, body }, permits)
  const all = showsLimits ? { ...headers, ...rateLimitHeaders(permits.decisions) } : headers
  if (body) return sendObject(store, res, { status, headers: all, body }, permits)
  if (status === 304) removeSecurityHeaders(res)
  res.writeHead(status, all).end()
}

interface ObjectAnswer {
  readonly status: number
  readonly headers: AnswerPlan['headers']
  readonly body: ObjectBody
}

async function sendObject(
  store: ObjectStore,
  res: ServerResponse,
  answer: ObjectAnswer,
  permits: AnswerPermits,
): Promise<void> {
  const { key, size, range } = answer.body
  const { transfer } = permits
  const charged = chargedBytes(answer)
  const held = store.held?.(key)
  if (held?.length === size) {
    transfer.owe(charged)
    const { start, end } = rangeWithin(range ?? undefined, size)
    return sendSlices(res, [held.subarray(start, end + 1)], answer, permits)
  }
  const stream = await transfer.owing(charged, () => paidBy(permits.payer, () => open(store, answer.body)))
  if (res.closed) return void stream.destroy()
  res.once('close', () => stream.destroy())
  try {
    await sendSlices(res, stream, answer, permits)
  } catch (error) {
    if (!res.closed) throw error
  } finally {
    stream.destroy()
  }
}

/** The only read of a call. */
async function open(store: ObjectStore, { key, size, range }: ObjectBody): Promise<Readable> {
  const opened = await store.open(key, range ?? undefined, size).catch((error: unknown) => {
    // The row says that the object has this range.
    throw error instanceof RangeError ? new ObjectCorrupt('Shorter than it was stored', { cause: error }) : error
  })
  if (opened.size === size) return opened.body
  opened.body.on('error', () => undefined).destroy()
  throw new ObjectCorrupt(`${opened.size} bytes in place of ${size}`)
}

async function sendSlices(
  res: ServerResponse,
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  { status, headers, body }: ObjectAnswer,
  permits: AnswerPermits,
): Promise<void> {
  const bytes = exactly(chunks, bytesIn(body.range ?? undefined, body.size))
  const first = await bytes.next()
  if (res.closed) return
  res.writeHead(status, headers)
  if (!first.done) await sendChunk(res, first.value, permits)
  for await (const chunk of bytes) {
    await sliceTurn(permits.lane)
    if (res.closed) return
    await sendChunk(res, chunk, permits)
  }
  if (!res.closed) res.end()
}

/** Yields the chunks. Throws ObjectCorrupt unless they are `expected` bytes together: before the one that is too many. */
async function* exactly(chunks: AsyncIterable<Buffer> | Iterable<Buffer>, expected: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > expected) break
    yield chunk
  }
  if (bytes !== expected) throw new ObjectCorrupt(`${bytes} bytes in place of ${expected}`)
}

/** Writes bytes to a connection slice by slice, each after the previous one has left. */
export async function sendChunk(res: ServerResponse, chunk: Uint8Array, permits: AnswerPermits): Promise<void> {
  const { transfer } = permits
  for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
    const slice = chunk.subarray(at, at + SLICE_BYTES)
    if (at > 0) await sliceTurn(permits.lane)
    if (res.closed) return
    transfer.hand(slice.length)
    if (!res.write(slice)) await drained(res)
    if (res.writableLength === 0 && !res.closed) transfer.markLeft()
  }
}

/** Waits until everything written has left. Resets a connection that takes too long: closed, it would leave the kernel with
 *  megabytes that nobody reads, for minutes. */
function drained(res: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const patience = setTimeout(() => res.socket?.resetAndDestroy(), SLICE_MS)
  const done = () => {
    clearTimeout(patience)
    res.off('drain', done).off('close', done)
    resolve()
  }
  res.on('drain', done).on('close', done)
  return promise
}
