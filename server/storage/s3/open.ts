import { Readable } from 'node:stream'
import { GetObjectCommand, type GetObjectCommandOutput } from '@aws-sdk/client-s3'
import { checkRange, outOfRange } from '../byte-range.ts'
import {
  type ByteRange,
  hashOfKey,
  ObjectCorrupt,
  type ObjectKey,
  ObjectStoreUnavailable,
  type OpenObject,
} from '../object-store.ts'
import { verifiedBody } from '../verified-body.ts'
import type { S3Bucket } from './bucket.ts'
import { readStatus } from './failure.ts'

/** Opens an object or a range of it. The body is verified; destroying it closes its connection. */
export async function openObject(bucket: S3Bucket, key: ObjectKey, range: ByteRange | undefined): Promise<OpenObject> {
  checkRange(range)
  const command = new GetObjectCommand({
    Bucket: bucket.settings.bucket,
    Key: bucket.settings.prefix + key,
    ...(range && { Range: `bytes=${range.start}-${range.end}` }),
  })
  const answer = await bucket
    .call((options) => bucket.client.send(command, options))
    .catch((error: unknown) => {
      throw range && readStatus(error) === 416 ? outOfRange(range) : error
    })
  const source = answer.Body
  if (!(source instanceof Readable)) throw new ObjectStoreUnavailable('bucket sent no body')
  try {
    const { size, bytes } = measure(answer, range)
    const expected = { bytes, sha256: range ? null : hashOfKey(key) }
    return { body: verifiedBody(source, expected, bucket.deadlines.stall), size }
  } catch (error) {
    source.on('error', () => undefined).destroy()
    throw error
  }
}

/** Returns the sizes in bytes of the whole object and of this body. Throws when the response does not match the
 *  request. */
function measure(answer: GetObjectCommandOutput, range: ByteRange | undefined): { size: number; bytes: number } {
  const { ContentLength: length, ContentRange } = answer
  if (length === undefined) throw new ObjectStoreUnavailable('bucket sent no content length')
  if (!range) {
    if (ContentRange !== undefined) throw new ObjectStoreUnavailable('bucket sent a range that was not requested')
    return { size: length, bytes: length }
  }
  const [, start, end, size] = (/^bytes (\d+)-(\d+)\/(\d+)$/.exec(ContentRange ?? '') ?? []).map(Number)
  if (start === undefined || end === undefined || size === undefined) {
    throw new ObjectStoreUnavailable('bucket sent no content range')
  }
  if (range.end >= size) throw outOfRange(range, size)
  if (start !== range.start || end !== range.end || length !== end - start + 1) {
    throw new ObjectCorrupt(`requested bytes ${range.start}-${range.end}, got ${start}-${end}`)
  }
  return { size, bytes: length }
}
