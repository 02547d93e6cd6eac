import type { ByteRequest } from '#server/images/byte-request.ts'
import type { FoundImage } from '#server/images/image-by-address.ts'
import { imageSecurityHeaders } from '../security-headers.ts'
import { type CallKind, chooseCallKind } from './image-charges.ts'
import { planAnswer } from './plan-answer.ts'

/** The answers to a guest's GET of one address: headers as names and values in turn; only the last value, the request's
 *  ID, is missing. */
export interface PreparedAnswers {
  readonly kind: CallKind
  /** The setting that they were prepared with. */
  readonly cacheSeconds: number
  readonly whole: readonly string[]
  readonly notModified: readonly string[]
}

/** What the settings say about answers. */
export interface AnswerPolicy {
  readonly secure: boolean
  readonly cacheSeconds: number
}

/** Prepares the answers from the same plans that answer every other request. */
export function prepareAnswers(
  { secure, cacheSeconds }: AnswerPolicy,
  asked: ByteRequest,
  found: FoundImage,
): PreparedAnswers {
  const facts = { method: 'GET', headers: {}, download: null, degradedBy: [], cacheSeconds }
  const whole = planAnswer(facts, found)
  const notModified = planAnswer({ ...facts, headers: { 'if-none-match': found.representation.etag } }, found)
  return {
    kind: chooseCallKind(asked),
    cacheSeconds,
    whole: withoutRequestId({ ...imageSecurityHeaders({ secure }), ...whole.headers }),
    notModified: withoutRequestId(notModified.headers),
  }
}

const withoutRequestId = (headers: Readonly<Record<string, string>>): readonly string[] => [
  ...Object.entries(headers).flat(),
  'X-Request-Id',
]
