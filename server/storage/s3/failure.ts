import { z } from 'zod'
import { ObjectNotFound, StoreUnavailable } from '../object-store.ts'

const answered = z.object({
  name: z.string(),
  message: z.string(),
  /** S3's own name of the error; an answer without one is not S3's, or one to HEAD. */
  Code: z.string().optional(),
  Region: z.string().optional(),
  Endpoint: z.string().optional(),
  $metadata: z.object({ httpStatusCode: z.number() }),
  $response: z.object({ headers: z.record(z.string(), z.string()) }),
})

/** An answer over HTTP that was no success. */
export type FailedAnswer = z.output<typeof answered>

/** What the bucket answered when a call failed; null when no answer came. */
export function failedAnswer(error: unknown): FailedAnswer | null {
  const cause = error instanceof StoreUnavailable || error instanceof ObjectNotFound ? error.cause : error
  return answered.safeParse(cause).data ?? null
}

/** The HTTP status that a call failed with; null when no answer came. */
export const statusOf = (error: unknown): number | null => failedAnswer(error)?.$metadata.httpStatusCode ?? null

/** What a failed call means to those who call a store; the reason stays in `cause`. */
export function failureOf(error: unknown): ObjectNotFound | StoreUnavailable {
  // By its code and not by its status: a proxy on the way may answer 404 of its own accord.
  if (failedAnswer(error)?.Code === 'NoSuchKey') return new ObjectNotFound('There is no such object', { cause: error })
  return new StoreUnavailable('The bucket does not answer as it should', { cause: error })
}
