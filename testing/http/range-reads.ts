import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { WHOLE_BYTES } from '#server/storage/object-store.ts'
import type { StoredImage } from '../library/stored-image.ts'
import type { Random } from '../random.ts'

/** A read of an image, and what it must come to. */
export interface RangeRead {
  readonly image: StoredImage
  readonly method: 'GET' | 'HEAD'
  readonly headers: Readonly<Record<string, string>>
  readonly status: number
  /** The bytes of the answer. */
  readonly body: Buffer
  readonly charge: number
  /** When the client leaves. */
  readonly leaves: 'never' | 'at once' | 'after the head'
}

interface Asked {
  readonly method?: 'HEAD'
  readonly headers: Readonly<Record<string, string>>
  readonly status: number
  readonly body?: Buffer
}

/** Draws a read with a range, with conditions, with both or neither. */
export function drawRangeRead(image: StoredImage, random: Random): RangeRead {
  const { bytes, sha256 } = image
  const size = bytes.length
  const etag = `"${sha256}"`
  const [one, other] = [random.below(size), random.pick([random.below(size), random.below(size), size - 1])]
  const [first, last] = [Math.min(one, other), Math.max(one, other)]
  const part = { Range: `bytes=${first}-${last}` }
  const whole = { status: 200, body: bytes }
  const slice = { status: 206, body: bytes.subarray(first, last + 1) }
  const asked = random.pick<() => Asked>([
    () => ({ headers: {}, ...whole }),
    () => ({ headers: part, ...slice }),
    () => ({ headers: part, ...slice }),
    () => ({ headers: { Range: `bytes=${first}-` }, status: 206, body: bytes.subarray(first) }),
    () => ({ headers: { Range: `bytes=-${first + 1}` }, status: 206, body: bytes.subarray(size - first - 1) }),
    () => ({ headers: { Range: `bytes=${first}-${first}` }, status: 206, body: bytes.subarray(first, first + 1) }),
    () => ({ headers: { Range: `bytes=${first}-${first},${last}-${last}` }, ...whole }),
    () => ({ headers: { Range: `bytes=${last + 1}-${first}` }, ...whole }),
    () => ({ headers: { Range: `bytes=${size + first}-` }, status: 416 }),
    () => ({ headers: { ...part, 'If-Range': etag }, ...slice }),
    () => ({ headers: { ...part, 'If-Range': `W/${etag}` }, ...whole }),
    () => ({ headers: { ...part, 'If-None-Match': etag }, status: 304 }),
    () => ({ headers: { 'If-None-Match': '"x"' }, ...whole }),
    () => ({ headers: { ...part, 'If-Match': '"x"' }, status: 412 }),
    () => ({ method: 'HEAD', headers: part, status: 200 }),
  ])()
  const { method = 'GET', headers, status, body = Buffer.alloc(0) } = asked
  const sent = body.length > 0
  const charge = !sent ? 0 : size <= WHOLE_BYTES ? size : body.length
  const leaves = sent ? random.pick(['never', 'never', 'at once', 'after the head'] as const) : 'never'
  return { image, method, headers, status, body, charge, leaves }
}

/** Makes a read. Returns the problem with its answer, or null. */
export async function makeRangeRead(
  read: RangeRead,
  credentials: Readonly<Record<string, string>>,
): Promise<string | null> {
  const { port, pathname } = new URL(read.image.url)
  const headers = { ...credentials, ...read.headers }
  const { method } = read
  const call = request({ host: '127.0.0.1', port, path: pathname, method, headers, agent: false })
  call.on('error', () => undefined).end()
  if (read.leaves === 'at once') {
    await once(call, 'finish')
    call.destroy()
    return null
  }
  const answer = await new Promise<IncomingMessage | null>((resolve) =>
    call.once('response', resolve).once('close', () => resolve(null)),
  )
  if (!answer) return 'no answer'
  answer.on('error', () => undefined)
  if (read.leaves === 'after the head') {
    call.destroy()
    return null
  }
  const body = await buffer(answer).catch(() => null)
  if (answer.statusCode !== read.status) return `${answer.statusCode} in place of ${read.status}`
  const isText = read.status >= 400
  return isText || body?.equals(read.body) ? null : `${body?.length} other bytes than ${read.body.length}`
}
