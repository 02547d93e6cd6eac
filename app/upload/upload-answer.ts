import { findRefusal, type RefusedCall } from '#app/limits/refusal.ts'
import { finalStatuses, type UploadProblem } from './problem.ts'
import type { Uploaded } from './upload-queue.ts'

export type SendResult =
  | { readonly kind: 'done'; readonly image: Uploaded }
  | { readonly kind: 'refused'; readonly refusal: RefusedCall }
  | { readonly kind: 'signedOut' }
  | { readonly kind: 'lost'; readonly isBroken: boolean; readonly retryAfterMs: number }
  | { readonly kind: 'failed'; readonly problem: UploadProblem; readonly canRetry: boolean }

/** What a status means if the answer has no message of Sluice's, for example from a proxy. */
const problems: Readonly<Record<number, UploadProblem>> = {
  403: { code: 'forbidden' },
  413: { code: 'tooLargeUnknown' },
  415: { code: 'unsupported' },
  422: { code: 'damaged' },
}

const unavailableStatuses: readonly number[] = [0, 502, 503, 504]

/** Interprets the server's answer to an upload. Status 0 means no answer. `retryAfter` is the Retry-After header. */
export function readAnswer(status: number, body: string, retryAfter: string | null = null): SendResult {
  if (unavailableStatuses.includes(status))
    return { kind: 'lost', isBroken: status === 0, retryAfterMs: waitIn(retryAfter, Date.now()) }
  if (status === 401) return { kind: 'signedOut' }
  const envelope = parse(body)
  const image = status === 200 ? imageIn(envelope) : null
  if (image) return { kind: 'done', image }
  const error = field(envelope, 'error')
  const refusal = status === 429 ? findRefusal(error) : null
  if (refusal) return { kind: 'refused', refusal }
  const data = field(error, 'data')
  if (field(data, 'reason') === 'over-quota') return { kind: 'failed', problem: { code: 'full' }, canRetry: true }
  const requestId = field(data, 'requestId')
  const fault: UploadProblem = { code: 'fault', requestId: typeof requestId === 'string' ? requestId : null }
  const problem = refusedBy(status, error) ?? problems[status] ?? fault
  return { kind: 'failed', problem, canRetry: !finalStatuses.includes(status) }
}

/** Returns the server's own reason for a 4xx answer; null if it gives none. */
function refusedBy(status: number, answer: unknown): UploadProblem | null {
  const message = field(answer, 'message')
  if (status < 400 || status >= 500 || typeof message !== 'string' || message === '') return null
  return { code: 'refused', error: Object.assign(new Error(message), { data: field(answer, 'data') ?? {} }) }
}

/** Returns the milliseconds of a Retry-After header, in seconds or as a date (RFC 9110, section 10.2.3); 0 without one. */
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
  return {
    id,
    slug,
    url,
    thumbnailUrl,
    isNew: field(data, 'isNew') === true,
    removed: kinds,
    isConverted: typeof field(data, 'convertedFrom') === 'string',
  }
}
