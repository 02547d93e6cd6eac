import { TRPCError } from '@trpc/server'
import { DEFAULT_LOCALE } from '#format/locale.ts'
import type { Params } from '#messages/params.ts'
import { type ParamsOf, translateLoose } from '#messages/translate.ts'
import { answers, type ErrorAnswer, type ErrorCode } from './codes.ts'
import { type ErrorText, Refused } from './refused.ts'

/**
 * Returns the error that refuses a call; throw it. Its message is the English sentence for curl, programs and logs.
 * Pages show `data.sentence`, which is in the language of their reader.
 */
export function refuse<Code extends ErrorCode>(code: Code, ...params: ParamsOf<`errors.${Code}`>): TRPCError
export function refuse(code: ErrorCode, params: Params = {}): TRPCError {
  return refuseWith({ code, params })
}

/** Returns the error that a text describes. */
export function refuseWith(text: ErrorText): TRPCError {
  const answer: ErrorAnswer = answers[text.code]
  const cause = new Refused(answer.reason ?? null, text)
  return new TRPCError({ code: answer.code, message: toSentence(text), cause })
}

/** Returns the text of an error that is thrown later, or only shown. */
export function errorText<Code extends ErrorCode>(code: Code, ...params: ParamsOf<`errors.${Code}`>): ErrorText
export function errorText(code: ErrorCode, params: Params = {}): ErrorText {
  return { code, params }
}

/** Describes an error in English. */
export const toSentence = ({ code, params }: ErrorText): string =>
  translateLoose(`errors.${code}`, params, DEFAULT_LOCALE)
