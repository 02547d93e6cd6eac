import type { Decision } from '#server/limits/decision.ts'
import { refusalOf } from '#server/limits/describe.ts'
import { rateLimitHeaders } from '#server/limits/headers.ts'
import { bytesIn } from '#server/storage/byte-range.ts'
import { type ByteRange, type ObjectKey, WHOLE_BYTES } from '#server/storage/object-store.ts'
import { refusalSentence, type Sentence } from '../sentence.ts'

/** An answer, planned before any of it is charged or written. */
export interface AnswerPlan {
  readonly status: number
  /** All headers except those common to every answer and those of limits. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Whether the answer shows the client's remaining limits. Never true if a cache may give the answer to another
   * client.
   */
  readonly showsLimits: boolean
  /** Nothing, a sentence, or bytes of an object. */
  readonly body: null | Sentence | ObjectBody
}

export interface ObjectBody {
  readonly key: ObjectKey
  /** Size of the whole object, in bytes. */
  readonly size: number
  /** The bytes that are sent; null for the whole object. */
  readonly range: ByteRange | null
}

/**
 * Returns how many bytes an answer is charged for: those that it sends, or the whole of an object that is always fetched
 * whole. Never less than a bucket has to send for it, and the same whether the object is cached or not, so that the
 * charge does not reveal what others have read.
 */
export function chargedBytes({ body }: Pick<AnswerPlan, 'body'>): number {
  if (body === null || typeof body === 'function') return 0
  return body.size <= WHOLE_BYTES ? body.size : bytesIn(body.range ?? undefined, body.size)
}

/** An answer as text, which no cache stores. */
export interface TextPlan extends AnswerPlan {
  readonly body: Sentence
}

const planText = (status: number, body: Sentence, headers: AnswerPlan['headers'] = {}): TextPlan => ({
  status,
  headers,
  showsLimits: false,
  body,
})

/** The same for missing and hidden images, so that nobody can distinguish them. */
export const NOT_FOUND = planText(404, (say) => say('errors.image-not-found'))

/** Bytes of a share that only its visitors may read. */
export const NO_VISIT = planText(401, (say) => say('http.noVisit'))

export const WRONG_METHOD = planText(405, (say) => say('http.onlyGetHead'), {
  Allow: 'GET, HEAD',
  Connection: 'close',
})

export const PRECONDITION_FAILED = planText(412, (say) => say('http.preconditionFailed'))

export const planUnsatisfiable = (size: number): TextPlan =>
  planText(416, (say) => say('http.rangeNotSatisfiable'), { 'Content-Range': `bytes */${size}` })

export const DAMAGED = planText(500, (say) => say('http.imageDamaged'))

export const ABOVE_EVERY_LIMIT = planText(403, (say) => say('http.aboveLimit'))

/** Plans a limit's refusal, in the words that every route uses. */
export function planRefusal(decision: Decision): TextPlan {
  const refusal = refusalOf(decision)
  return planText(
    429,
    refusal ? refusalSentence(refusal) : (say) => say('http.tooManyRequests'),
    rateLimitHeaders([decision]),
  )
}

/** Plans the answer to a token that is invalid or lacks the scope `read` (RFC 6750, 3.1). */
export function planTokenProblem(problem: 'void' | 'scope'): TextPlan {
  const isVoid = problem === 'void'
  const words: Sentence = (say) => (isVoid ? say('errors.void-token') : say('errors.token-scope', { scope: 'read' }))
  const challenge = isVoid ? 'Bearer error="invalid_token"' : 'Bearer error="insufficient_scope", scope="read"'
  return planText(isVoid ? 401 : 403, words, { 'WWW-Authenticate': challenge })
}
