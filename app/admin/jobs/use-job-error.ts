import { type KeptErrorText, useErrorText } from '#app/limits/use-error-text.ts'

interface Failure {
  /** In English. */
  readonly error: string | null
  readonly errorText?: KeptErrorText | null | undefined
}

/** Returns a function that says why a job failed, in the reader's language unless it was a bug; null if it did not fail. */
export function useJobError(): (failure: Failure) => string | null {
  const say = useErrorText()
  return ({ error, errorText }) => (errorText && say(errorText)) || error
}
