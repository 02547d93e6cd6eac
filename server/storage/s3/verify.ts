import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { CannotStart } from '#server/cannot-start.ts'
import { BudgetSpent } from '../meter.ts'
import { ObjectNotFound, StoreUnavailable } from '../object-store.ts'
import type { Bucket } from './bucket.ts'
import { clockSentence, misconfiguration, type Step } from './misconfigured.ts'
import { putWhole } from './put.ts'

const PROBE = Buffer.from('sluice')
/** Providers refuse requests from a clock that is this far off; the SDK then goes by theirs. */
const SKEW_MS = 5 * 60_000

const SPENT = 'A budget is spent: whether the bucket can be written and read was not tried.'

/**
 * Writes, reads, lists and deletes a probe. Throws CannotStart with one sentence that tells what to change. Where a
 * budget is spent there is nothing but the deletion, and a warning.
 */
export async function verifyBucket(bucket: Bucket): Promise<readonly string[]> {
  const { settings, client } = bucket
  // No key of an object: the store's lists do not show it, should it ever stay behind.
  const name = `${settings.prefix}sluice-probe-${randomUUID()}`
  const take: Take = async (step, action) => {
    try {
      await action()
    } catch (error) {
      if (!(error instanceof StoreUnavailable || error instanceof ObjectNotFound)) throw error
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

type Take = (step: Step, action: () => Promise<unknown>) => Promise<void>

async function probe(bucket: Bucket, name: string, take: Take): Promise<void> {
  const { settings, client } = bucket
  await take('write', () => putWhole(bucket, name, PROBE))
  await take('read', async () => {
    const get = new GetObjectCommand({ Bucket: settings.bucket, Key: name })
    const { Body } = await bucket.call((options) => client.send(get, options))
    const found = Body instanceof Readable ? await buffer(Body) : Buffer.alloc(0)
    if (!found.equals(PROBE)) throw new StoreUnavailable('The bucket gave other bytes than were put')
  })
  await take('list', async () => {
    const list = new ListObjectsV2Command({ Bucket: settings.bucket, Prefix: name, MaxKeys: 1 })
    const { Contents } = await bucket.call((options) => client.send(list, options))
    if (Contents?.[0]?.Key !== name) throw new StoreUnavailable('The bucket does not list what was put')
  })
}
