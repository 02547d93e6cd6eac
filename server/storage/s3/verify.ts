import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { CannotStart } from '#server/cannot-start.ts'
import { BudgetSpent } from '../meter.ts'
import { ObjectNotFound, ObjectStoreUnavailable } from '../object-store.ts'
import type { S3Bucket } from './bucket.ts'
import { type BucketAction, clockSentence, misconfiguration } from './misconfigured.ts'
import { putWhole } from './put.ts'

const PROBE = Buffer.from('sluice')
/** Providers reject requests whose clock is off by more than this; the SDK then corrects for it. */
const SKEW_MS = 5 * 60_000

const SPENT = 'A budget is used up, so reading and writing the bucket was not tested.'

/** Writes, reads, lists and deletes a probe object. Throws CannotStart, whose message says what to change. With a
 *  budget used up it only deletes, and returns a warning. */
export async function verifyBucket(bucket: S3Bucket): Promise<readonly string[]> {
  const { settings, client } = bucket
  // Not an object key, so that lists do not include it if it is left behind.
  const name = `${settings.prefix}sluice-probe-${randomUUID()}`
  const take: Take = async (step, action) => {
    try {
      await action()
    } catch (error) {
      if (!(error instanceof ObjectStoreUnavailable || error instanceof ObjectNotFound)) throw error
      throw new CannotStart(misconfiguration(error, step, settings), { cause: error })
    }
  }
  const spent = await probe(bucket, name, take).then(
    () => [],
    (error: unknown) => {
      if (error instanceof BudgetSpent) return [SPENT]
      throw error
    },
  )
  const command = new DeleteObjectCommand({ Bucket: settings.bucket, Key: name })
  await take('delete', () => bucket.call((options) => client.send(command, options)))
  const skew = client.config.systemClockOffset
  return Math.abs(skew) < SKEW_MS ? spent : [...spent, clockSentence(skew)]
}

type Take = (step: BucketAction, action: () => Promise<unknown>) => Promise<void>

async function probe(bucket: S3Bucket, name: string, take: Take): Promise<void> {
  const { settings, client } = bucket
  await take('write', () => putWhole(bucket, name, PROBE))
  await take('read', async () => {
    const get = new GetObjectCommand({ Bucket: settings.bucket, Key: name })
    const { Body } = await bucket.call((options) => client.send(get, options))
    const found = Body instanceof Readable ? await buffer(Body) : Buffer.alloc(0)
    if (!found.equals(PROBE)) throw new ObjectStoreUnavailable('the bucket returned other bytes than were put')
  })
  await take('list', async () => {
    const list = new ListObjectsV2Command({ Bucket: settings.bucket, Prefix: name, MaxKeys: 1 })
    const { Contents } = await bucket.call((options) => client.send(list, options))
    if (Contents?.[0]?.Key !== name) throw new ObjectStoreUnavailable('the bucket does not list what was put')
  })
}
