import { DeleteObjectCommand } from '@aws-sdk/client-s3'
import type { Meter } from '../meter.ts'
import { type ObjectKey, ObjectNotFound, type ObjectStore } from '../object-store.ts'
import type { S3Operation } from './attempts.ts'
import { defaultDeadlines, openBucket, type S3Bucket, type S3Deadlines } from './bucket.ts'
import { checkBucket, readSize } from './head.ts'
import { listObjects, removeUploads } from './list.ts'
import { openObject } from './open.ts'
import { createPut, WrongBytesStored } from './put.ts'
import type { S3Settings } from './settings.ts'
import { verifyBucket } from './verify.ts'

export interface S3Store extends ObjectStore {
  /** HTTP requests made so far by billed operation, retries included. */
  readonly attempts: Readonly<Record<S3Operation, number>>
}

/** Opens a store in a bucket of any S3-compatible provider. It never uses ACLs, conditional requests or presigned URLs,
 *  and sends nothing that the meter rejects. */
export function createS3Store(settings: S3Settings, meter: Meter, deadlines: S3Deadlines = defaultDeadlines): S3Store {
  const bucket = openBucket(settings, meter, deadlines)
  const fullName = (key: ObjectKey) => settings.prefix + key
  /** Keys for which this process may have stored wrong bytes of the right length. They count as missing until put
   *  again. */
  const suspects = new Set<ObjectKey>()
  const putFile = createPut(bucket)
  return {
    description: `bucket ${settings.bucket} at ${settings.endpoint ?? `AWS in ${settings.region}`}`,
    attempts: bucket.attempts,
    async put(key, source, size) {
      try {
        await putFile(fullName(key), source.path, size)
        suspects.delete(key)
      } catch (error) {
        if (error instanceof WrongBytesStored) suspects.add(key)
        throw error
      }
    },
    open: (key, range) => openObject(bucket, key, range),
    readSize: async (key) => (suspects.has(key) ? null : readSize(bucket, fullName(key))),
    delete: (key, signal) => deleteObject(bucket, fullName(key), signal),
    list: (prefix) => listObjects(bucket, prefix),
    check: () => checkBucket(bucket),
    verify: () => verifyBucket(bucket),
    removeUnfinished: (before) => removeUploads(bucket, before),
    close: async () => bucket.client.destroy(),
  }
}

/** Waits for a request that is in flight when the signal fires, up to its deadline: aborted, it might still be carried
 *  out later. */
async function deleteObject(bucket: S3Bucket, name: string, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  const command = new DeleteObjectCommand({ Bucket: bucket.settings.bucket, Key: name })
  command.middlewareStack.add(
    (next) => (args) => {
      signal?.throwIfAborted()
      return next(args)
    },
    // Below the SDK's retries and above the metering.
    { name: 'stopAtSignal', step: 'finalizeRequest', priority: 'normal' },
  )
  try {
    await bucket.call((options) => bucket.client.send(command, options))
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof ObjectNotFound)) throw error
  }
}
