import type { ReceivedErrorText } from '#app/limits/error-text.ts'
import { useErrorText } from '#app/limits/use-error-message.ts'

interface Failure {
  /** In English. */
  readonly error: string | null
  readonly errorText?: ReceivedErrorText | null | undefined
}

/** Returns a function that says why a job failed, in the reader's language unless it was a bug; null if it did not fail. */
export function useJobError(): (failure: Failure) => string | null {
  const say = useErrorText()
  return ({ error, errorText }) => (errorText && say(errorText)) || error
}
