import { z } from 'zod'
import { ObjectNotFound, ObjectStoreUnavailable } from '../object-store.ts'

const answered = z.object({
  name: z.string(),
  message: z.string(),
  /** S3's error code. A response without one is not from S3, or answers a HEAD. */
  Code: z.string().optional(),
  Region: z.string().optional(),
  Endpoint: z.string().optional(),
  $metadata: z.object({ httpStatusCode: z.number() }),
  $response: z.object({ headers: z.record(z.string(), z.string()) }),
})

/** A non-success HTTP response. */
export type FailedAnswer = z.output<typeof answered>

/** Returns the response with which a call failed; null when there was none. */
export function failedAnswer(error: unknown): FailedAnswer | null {
  const cause = error instanceof ObjectStoreUnavailable || error instanceof ObjectNotFound ? error.cause : error
  return answered.safeParse(cause).data ?? null
}

/** Returns the HTTP status with which a call failed; null when there was no response. */
export const readStatus = (error: unknown): number | null => failedAnswer(error)?.$metadata.httpStatusCode ?? null

/** Converts a failure of the SDK to the errors of ObjectStore; the original is the `cause`. */
export function toStoreError(error: unknown): ObjectNotFound | ObjectStoreUnavailable {
  // By the code rather than the status: a proxy on the way may produce a 404 of its own.
  if (failedAnswer(error)?.Code === 'NoSuchKey') return new ObjectNotFound('object not found', { cause: error })
  return new ObjectStoreUnavailable('bucket unavailable', { cause: error })
}
