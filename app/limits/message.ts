import { Overtaken } from './overtaken.ts'

/** A failed call, however it failed. */
export interface CallFailure {
  readonly message: string
}

/** Whether a call failed because nobody is signed in any more. */
export function isSignedOut(error: unknown): boolean {
  return hasCode(error, 'UNAUTHORIZED')
}

/** Whether the server refused a call with one of these codes of tRPC. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  if (!(error instanceof Error) || !('data' in error)) return false
  const { data } = error
  return typeof data === 'object' && data !== null && 'code' in data && codes.some((code) => code === data.code)
}

/** A failure in a sentence for the reader. `sayError` (use-error-text.ts) puts the server's code into words; without it the
 *  server's English message stands. */
export function messageOf(error: unknown, sayError?: (error: unknown) => string | null): string {
  if (!(error instanceof Error)) return 'Something went wrong. Try again.'
  if (error instanceof Overtaken) return error.message
  const data = 'data' in error ? error.data : undefined
  if (typeof data !== 'object' || data === null)
    return 'The server could not be reached. Check your connection, then try again.'
  const isFault = 'httpStatus' in data && typeof data.httpStatus === 'number' && data.httpStatus >= 500
  const id = isFault && 'requestId' in data ? data.requestId : null
  const message = sayError?.(error) ?? error.message
  return typeof id === 'string' ? `${message} ${reportWords(id)}` : message
}

/** What to do about a fault of the server: under the request's id its log tells more. */
export const reportWords = (requestId: string): string =>
  `If it happens again, tell whoever runs this site: request ${requestId}.`
