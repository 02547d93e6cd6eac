import type { Translate } from '#app/ui/translate.ts'
import { EditConflict } from './edit-conflict.ts'

export interface CallFailure {
  readonly message: string
}

/** Whether a call failed because the user is signed out, and not because of a share's password. */
export function isSignedOut(error: unknown): boolean {
  return hasCode(error, 'UNAUTHORIZED') && !/^share-/.test(readReason(error))
}

const readReason = (error: unknown): string => {
  const data: unknown = error instanceof Error && 'data' in error ? error.data : null
  return typeof data === 'object' && data !== null ? String(Reflect.get(data, 'reason') ?? '') : ''
}

/** Whether the server refused a call with one of these tRPC codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  if (!(error instanceof Error) || !('data' in error)) return false
  const { data } = error
  return typeof data === 'object' && data !== null && 'code' in data && codes.some((code) => code === data.code)
}

/** Describes a failure in a sentence. `say` returns the server's, by default the one in the language of a page's reader. */
export function describeFailure(
  error: unknown,
  t: Translate<'failures'>,
  say: (error: Error) => string = readersSentence,
): string {
  if (!(error instanceof Error)) return t('unknown')
  if (error instanceof EditConflict) return error.message
  const data = 'data' in error ? error.data : undefined
  if (typeof data !== 'object' || data === null) return t('offline')
  const isFault = 'httpStatus' in data && typeof data.httpStatus === 'number' && data.httpStatus >= 500
  const requestId = isFault && 'requestId' in data ? data.requestId : null
  const sentence = say(error)
  return typeof requestId === 'string' ? t('report', { sentence, requestId }) : sentence
}

function readersSentence(error: Error): string {
  const data: unknown = 'data' in error ? error.data : null
  const sentence: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'sentence') : null
  return typeof sentence === 'string' ? sentence : error.message
}
