import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type PutObjectCommandOutput,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import pLimit from 'p-limit'
import { ObjectStoreUnavailable } from '../object-store.ts'
import type { S3Bucket } from './bucket.ts'
import { readSize } from './head.ts'

/** Bytes of a part; larger files are uploaded in parts. Every provider accepts parts of 5 MiB or more. */
const PART_BYTES = 8 * 1024 * 1024
/** Parts in memory at once, over all uploads of the process. */
const PARTS_AT_ONCE = 4

/** The ETag of a put does not match the bytes that were sent. */
export class WrongBytesStored extends ObjectStoreUnavailable {
  override name = 'WrongBytesStored'
}

export type PutFile = (key: string, path: string, size: number) => Promise<void>

/** Puts files whole or in parts. Bytes are sent from memory, so that an attempt can be repeated, and their SHA-256 is
 *  signed. If the bucket returns an MD5 as ETag, it must match. */
export function createPut(bucket: S3Bucket): PutFile {
  const limit = createPartLimit(bucket)
  return async (key, path, size) => {
    await checkSize(path, size)
    if (size <= PART_BYTES) await limit(async () => putWhole(bucket, key, await readPart(path, 0, size)))
    else await putParts(bucket, limit, key, { path, size })
  }
}

type Limit = <T>(send: () => Promise<T>) => Promise<T>

/** Calls that have queued for long behind failing parts fail with them, instead of each waiting for a deadline of its
 *  own. */
function createPartLimit(bucket: S3Bucket): Limit {
  const limit = pLimit(PARTS_AT_ONCE)
  return (send) => {
    const since = performance.now()
    return limit(() => {
      const hasWaited = performance.now() - since > bucket.deadlines.answer
      if (hasWaited && bucket.answeredAt === null) throw new ObjectStoreUnavailable('bucket unavailable')
      return send()
    })
  }
}

async function checkSize(path: string, size: number): Promise<void> {
  await using file = await open(path, 'r')
  const found = (await file.stat()).size
  if (found !== size) throw new Error(`size mismatch: expected ${size} bytes, got ${found}`)
}

async function readPart(path: string, start: number, length: number): Promise<Buffer> {
  await using file = await open(path, 'r')
  const bytes = Buffer.allocUnsafe(length)
  const { bytesRead } = await file.read(bytes, 0, length, start)
  if (bytesRead !== length) throw new Error(`${path} ends at byte ${start + bytesRead}`)
  return bytes
}

export async function putWhole(bucket: S3Bucket, key: string, bytes: Buffer): Promise<void> {
  const md5 = computeMd5(bytes)
  const command = new PutObjectCommand({ ...objectParams(bucket, key), ...checksumParams(bucket, md5), Body: bytes })
  const answer = await bucket.call((options) => bucket.client.send(command, options), { uploads: true })
  // Swift sends no ETag when another put of the key came first. Without an ETag, the server may also not be S3 at all,
  // so check.
  const isKept = answer.ETag ? hasMatchingETag(answer, md5) : (await readSize(bucket, key)) === bytes.length
  if (!isKept) throw new WrongBytesStored('bucket stored different bytes than were sent')
}

async function putParts(
  bucket: S3Bucket,
  limit: Limit,
  key: string,
  file: { readonly path: string; readonly size: number },
): Promise<void> {
  const { client } = bucket
  const begin = new CreateMultipartUploadCommand(objectParams(bucket, key))
  const { UploadId } = await bucket.call((options) => client.send(begin, options))
  if (UploadId === undefined) throw new ObjectStoreUnavailable('bucket began an upload without an ID')
  const upload = { ...objectParams(bucket, key), UploadId }
  try {
    const Parts = await putEachPart(bucket, limit, upload, file)
    await complete(bucket, upload, Parts, file.size)
  } catch (error) {
    const abort = new AbortMultipartUploadCommand(upload)
    // If this fails too, `removeUnfinished` cleans up later.
    await bucket.call((options) => client.send(abort, options)).catch(() => undefined)
    throw error
  }
}

async function complete(bucket: S3Bucket, upload: Upload, Parts: CompletedPart[], size: number): Promise<void> {
  const command = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } })
  try {
    await bucket.call((options) => bucket.client.send(command, options), { uploads: true })
  } catch (error) {
    // If only the response was lost, the retry finds no upload, but the object exists.
    if ((await readSize(bucket, upload.Key).catch(() => null)) !== size) throw error
  }
}

type Upload = { readonly Bucket: string; readonly Key: string; readonly UploadId: string }

/** Settles only when no part is in flight: a part that arrives after the abort would never be deleted. */
async function putEachPart(
  bucket: S3Bucket,
  limit: Limit,
  upload: Upload,
  { path, size }: { readonly path: string; readonly size: number },
): Promise<CompletedPart[]> {
  let hasFailed = false
  const putPart = async (start: number) => {
    if (hasFailed) throw new Error('an earlier part failed')
    try {
      const bytes = await readPart(path, start, Math.min(PART_BYTES, size - start))
      return await putOnePart(bucket, upload, 1 + start / PART_BYTES, bytes)
    } catch (error) {
      hasFailed = true
      throw error
    }
  }
  const starts = Array.from({ length: Math.ceil(size / PART_BYTES) }, (_, index) => index * PART_BYTES)
  const parts = await Promise.allSettled(starts.map((start) => limit(() => putPart(start))))
  // Parts start in order, so the first rejected one has the original error.
  return parts.map((part) => {
    if (part.status === 'rejected') throw part.reason
    return part.value
  })
}

async function putOnePart(bucket: S3Bucket, upload: Upload, PartNumber: number, bytes: Buffer): Promise<CompletedPart> {
  const md5 = computeMd5(bytes)
  const command = new UploadPartCommand({ ...upload, ...checksumParams(bucket, md5), PartNumber, Body: bytes })
  const answer = await bucket.call((options) => bucket.client.send(command, options), { uploads: true })
  if (!hasMatchingETag(answer, md5)) throw new WrongBytesStored('bucket stored different bytes than were sent')
  return { PartNumber, ETag: answer.ETag, ChecksumCRC32: answer.ChecksumCRC32 }
}

const objectParams = ({ settings }: S3Bucket, key: string) => ({ Bucket: settings.bucket, Key: key })

const computeMd5 = (bytes: Buffer): Buffer => createHash('md5').update(bytes).digest()

/** Returns the checksum to send for the bucket to verify; unless told otherwise, the SDK adds its own. */
const checksumParams = ({ settings }: S3Bucket, md5: Buffer) =>
  settings.checksums === 'when-required' ? { ContentMD5: md5.toString('base64') } : {}

type PutAnswer = Pick<PutObjectCommandOutput, 'ETag' | 'SSEKMSKeyId' | 'SSECustomerAlgorithm'>

/** Whether the ETag of a response matches the bytes that were sent, if it can tell at all. */
function hasMatchingETag({ ETag = '', SSEKMSKeyId, SSECustomerAlgorithm }: PutAnswer, md5: Buffer): boolean {
  // With a KMS or customer key, the ETag looks like an MD5 but is not one.
  if (SSEKMSKeyId !== undefined || SSECustomerAlgorithm !== undefined) return true
  const etag = ETag.replaceAll('"', '').toLowerCase()
  return !/^[0-9a-f]{32}$/.test(etag) || etag === md5.toString('hex')
}
