import { HeadBucketCommand, HeadObjectCommand } from '@aws-sdk/client-s3'
import { BudgetSpent } from '../meter.ts'
import { ObjectStoreUnavailable } from '../object-store.ts'
import type { S3Bucket } from './bucket.ts'
import { readStatus } from './failure.ts'

/** Milliseconds for which any successful call counts as proof that the bucket is available, unless a later call fails.
 *  At 288 checks a day, an idle site stays within every provider's free tier. */
const FRESH_MS = 5 * 60_000

/** Returns the size in bytes of an object by its full name; null when it does not exist. */
export async function readSize(bucket: S3Bucket, name: string): Promise<number | null> {
  const head = new HeadObjectCommand({ Bucket: bucket.settings.bucket, Key: name })
  try {
    const { ContentLength } = await bucket.call((options) => bucket.client.send(head, options), { isHead: true })
    if (ContentLength === undefined) throw new ObjectStoreUnavailable('bucket sent no content length')
    return ContentLength
  } catch (error) {
    // A response to HEAD has no body with an error code, so the status decides.
    if (readStatus(error) === 404) return null
    throw error
  }
}

/** Milliseconds between checks of a bucket that has been unavailable for a while. */
const LONGEST_PAUSE_MS = 60_000

/** Buckets whose last checks failed: how often in a row, and until when the last failure is returned without another
 *  check. */
const failures = new WeakMap<S3Bucket, { readonly times: number; readonly until: number; readonly error: unknown }>()

/** Throws when the bucket is unavailable. Makes no request if a call has succeeded recently, because providers bill for
 *  it, and backs off during an outage, which would otherwise use up a budget of reads. `now` is by
 *  performance.now(). */
export async function checkBucket(bucket: S3Bucket, now = performance.now()): Promise<void> {
  const { answeredAt, settings, client } = bucket
  const failure = failures.get(bucket)
  if (answeredAt !== null) failures.delete(bucket)
  else if (failure && now < failure.until) throw failure.error
  if (answeredAt !== null && now - answeredAt < FRESH_MS) return
  const head = new HeadBucketCommand({ Bucket: settings.bucket })
  await bucket
    .call((options) => client.send(head, options))
    .catch((error: unknown) => {
      // The state of the bucket is unknown, but whatever does not need it works.
      if (error instanceof BudgetSpent) return
      const times = (failures.get(bucket)?.times ?? 0) + 1
      // No pause after the first failure.
      const pauseMs = times === 1 ? 0 : Math.min(LONGEST_PAUSE_MS, 250 * 2 ** times)
      failures.set(bucket, { times, until: now + pauseMs, error })
      throw error
    })
  failures.delete(bucket)
}
