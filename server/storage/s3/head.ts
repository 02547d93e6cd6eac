import { HeadBucketCommand, HeadObjectCommand } from '@aws-sdk/client-s3'
import { BudgetSpent } from '../meter.ts'
import { StoreUnavailable } from '../object-store.ts'
import type { Bucket } from './bucket.ts'
import { statusOf } from './failure.ts'

/** Milliseconds for which an answer of the bucket, whatever it was asked, says that it answers, unless a call fails before:
 *  at 288 questions a day an idle site stays within every provider's free allowance. */
const FRESH_MS = 5 * 60_000

/** The bytes by number of what a bucket has under a name; null when it has nothing there. */
export async function sizeOf(bucket: Bucket, name: string): Promise<number | null> {
  const head = new HeadObjectCommand({ Bucket: bucket.settings.bucket, Key: name })
  try {
    const { ContentLength } = await bucket.call((options) => bucket.client.send(head, options), { isHead: true })
    if (ContentLength === undefined) throw new StoreUnavailable('The bucket gives no length')
    return ContentLength
  } catch (error) {
    // An answer to HEAD has no body that could say more.
    if (statusOf(error) === 404) return null
    throw error
  }
}

/** Milliseconds between two questions to a bucket that has not answered for long. */
const LONGEST_PAUSE_MS = 60_000

/** Of buckets that failed their last checks: how many, and until when the last failure stands for the next. */
const failures = new WeakMap<Bucket, { readonly times: number; readonly until: number; readonly error: unknown }>()

/**
 * Asks for nothing when some call has succeeded a moment ago: providers charge for the question. A bucket that is away is
 * asked less and less often, or an outage would use up a budget of reads. `now` by performance.now().
 */
export async function checkBucket(bucket: Bucket, now = performance.now()): Promise<void> {
  const { answeredAt, settings, client } = bucket
  const failure = failures.get(bucket)
  if (answeredAt !== null) failures.delete(bucket)
  else if (failure && now < failure.until) throw failure.error
  if (answeredAt !== null && now - answeredAt < FRESH_MS) return
  const head = new HeadBucketCommand({ Bucket: settings.bucket })
  await bucket
    .call((options) => client.send(head, options))
    .catch((error: unknown) => {
      // Nobody knows how the bucket is, but what needs none of it works.
      if (error instanceof BudgetSpent) return
      const times = (failures.get(bucket)?.times ?? 0) + 1
      // The first may be followed at once.
      const pauseMs = times === 1 ? 0 : Math.min(LONGEST_PAUSE_MS, 250 * 2 ** times)
      failures.set(bucket, { times, until: now + pauseMs, error })
      throw error
    })
  failures.delete(bucket)
}
