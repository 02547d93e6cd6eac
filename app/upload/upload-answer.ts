import { type Refusal, refusalOf } from '#app/limits/refusal.ts'
import { notAnImage } from './check-file.ts'
import type { Uploaded } from './upload-queue.ts'

export type SendResult =
  | { readonly kind: 'done'; readonly image: Uploaded }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'signedOut' }
  | { readonly kind: 'lost'; readonly isBroken: boolean; readonly retryAfterMs: number }
  | { readonly kind: 'failed'; readonly reason: string; readonly canRetry: boolean; readonly isFull?: boolean }

const plainWords: Readonly<Record<number, string>> = {
  403: 'This account may not upload.',
  413: 'The file is larger than one image may be. Save it smaller.',
  415: notAnImage,
  422: 'The picture is damaged, or has too many pixels. Save it anew, or smaller.',
}

const awayStatuses: readonly number[] = [0, 502, 503, 504]

/** What the server's answer to an upload means; status 0 is no answer at all. `retryAfter` is its header of that name. */
export function readAnswer(status: number, body: string, retryAfter: string | null = null): SendResult {
  if (awayStatuses.includes(status))
    return { kind: 'lost', isBroken: status === 0, retryAfterMs: waitIn(retryAfter, Date.now()) }
  if (status === 401) return { kind: 'signedOut' }
  const envelope = parse(body)
  const image = status === 200 ? imageIn(envelope) : null
  if (image) return { kind: 'done', image }
  const error = field(envelope, 'error')
  const refusal = status === 429 ? refusalOf(error) : null
  if (refusal) return { kind: 'refused', refusal }
  const message = field(error, 'message')
  const told = status >= 400 && status < 500 && typeof message === 'string' && message !== '' ? message : null
  const isFull = field(field(error, 'data'), 'reason') === 'over-quota'
  if (isFull && told !== null) return { kind: 'failed', reason: told, canRetry: true, isFull }
  const reason = told ?? plainWords[status] ?? `The server could not take the file.${requestIn(error)}`
  return { kind: 'failed', reason, canRetry: ![403, 413, 415, 422].includes(status) }
}

function requestIn(error: unknown): string {
  const id = field(field(error, 'data'), 'requestId')
  return typeof id === 'string' ? ` If this keeps happening, give the site’s owner this request ID: ${id}.` : ''
}

/** Milliseconds of a Retry-After header, in seconds or as a date (RFC 9110, section 10.2.3); 0 without one. */
function waitIn(retryAfter: string | null, now: number): number {
  if (retryAfter === null) return 0
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined

function imageIn(envelope: unknown): Uploaded | null {
  const data = field(field(envelope, 'result'), 'data')
  const [id, slug, url, thumbnailUrl] = ['id', 'slug', 'url', 'thumbnailUrl'].map((name) => field(data, name))
  if (typeof id !== 'string' || typeof slug !== 'string' || typeof url !== 'string' || typeof thumbnailUrl !== 'string')
    return null
  const removed = field(data, 'removed')
  const kinds = Array.isArray(removed) ? removed.filter((kind) => typeof kind === 'string') : []
  return { id, slug, url, thumbnailUrl, removed: kinds }
}
