import { HeadBucketCommand, HeadObjectCommand } from '@aws-sdk/client-s3'
import { BudgetSpent } from './meter.ts'
import { StoreUnavailable } from './object-store.ts'
import type { Bucket } from './s3-bucket.ts'
import { statusOf } from './s3-failure.ts'

/** Milliseconds for which an answer of the bucket, whatever it was asked, says that it answers, unless a call fails before: at
 *  288 questions a day an idle site stays within every provider's free allowance. */
const FRESH_MS = 5 * 60_000

/** The bytes by number of what a bucket has under a name; null when it has nothing there. */
export async function sizeOf(bucket: Bucket, name: string): Promise<number | null> {
  const head = new HeadObjectCommand({ Bucket: bucket.settings.bucket, Key: name })
  try {
    const { ContentLength } = await bucket.call((options) => bucket.client.send(head, options))
    if (ContentLength === undefined) throw new StoreUnavailable('The bucket gives no length')
    return ContentLength
  } catch (error) {
    // An answer to HEAD has no body that could say more.
    if (statusOf(error) === 404) return null
    throw error
  }
}

/** Asks for nothing when some call has succeeded a moment ago: providers charge for the question. */
export async function checkBucket(bucket: Bucket): Promise<void> {
  const { answeredAt, settings, client } = bucket
  if (answeredAt !== null && performance.now() - answeredAt < FRESH_MS) return
  const head = new HeadBucketCommand({ Bucket: settings.bucket })
  await bucket
    .call((options) => client.send(head, options))
    .catch((error: unknown) => {
      // Nobody knows how the bucket is, but what needs none of it works.
      if (!(error instanceof BudgetSpent)) throw error
    })
}
