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
import { StoreUnavailable } from '../object-store.ts'
import type { Bucket } from './bucket.ts'
import { sizeOf } from './head.ts'

/** Bytes of a part; a larger file goes in parts. Every provider takes parts from 5 MiB up. */
const PART_BYTES = 8 * 1024 * 1024
/** Parts in memory at once, over all uploads of the process. */
const PARTS_AT_ONCE = 4

/** The ETag that the bucket answered a put with is not that of the bytes that were sent. */
export class OtherBytesKept extends StoreUnavailable {
  override name = 'OtherBytesKept'
}

export type PutFile = (key: string, path: string, size: number) => Promise<void>

/**
 * Puts files whole or in parts. Bytes are sent from memory, so that an attempt can be repeated, and their SHA-256 is
 * signed; a bucket that answers with the MD5 of what it has is held to it.
 */
export function createPut(bucket: Bucket): PutFile {
  const limit = inTurn(bucket)
  return async (key, path, size) => {
    await checkSize(path, size)
    if (size <= PART_BYTES) await limit(async () => putWhole(bucket, key, await readPart(path, 0, size)))
    else await putParts(bucket, limit, key, { path, size })
  }
}

type Limit = <T>(send: () => Promise<T>) => Promise<T>

/** Whoever has waited long behind parts that the bucket did not take fails with them, and not one deadline later each. */
function inTurn(bucket: Bucket): Limit {
  const limit = pLimit(PARTS_AT_ONCE)
  return (send) => {
    const since = performance.now()
    return limit(() => {
      const hasWaited = performance.now() - since > bucket.deadlines.answer
      if (hasWaited && bucket.answeredAt === null) throw new StoreUnavailable('The bucket fails')
      return send()
    })
  }
}

async function checkSize(path: string, size: number): Promise<void> {
  await using file = await open(path, 'r')
  const found = (await file.stat()).size
  if (found !== size) throw new Error(`An object of ${size} bytes came as ${found}`)
}

async function readPart(path: string, start: number, length: number): Promise<Buffer> {
  await using file = await open(path, 'r')
  const bytes = Buffer.allocUnsafe(length)
  const { bytesRead } = await file.read(bytes, 0, length, start)
  if (bytesRead !== length) throw new Error(`${path} ends at byte ${start + bytesRead}`)
  return bytes
}

/** Puts one object from memory. */
export async function putWhole(bucket: Bucket, key: string, bytes: Buffer): Promise<void> {
  const md5 = md5Of(bytes)
  const command = new PutObjectCommand({ ...placeOf(bucket, key), ...checksumOf(bucket, md5), Body: bytes })
  const answer = await bucket.call((options) => bucket.client.send(command, options), { uploads: true })
  // Swift names none when another put of the same key came first; and what answers without may be no S3 at all.
  const isKept = answer.ETag ? isOf(answer, md5) : (await sizeOf(bucket, key)) === bytes.length
  if (!isKept) throw new OtherBytesKept('The bucket has kept other bytes than were sent')
}

async function putParts(
  bucket: Bucket,
  limit: Limit,
  key: string,
  file: { readonly path: string; readonly size: number },
): Promise<void> {
  const { client } = bucket
  const begin = new CreateMultipartUploadCommand(placeOf(bucket, key))
  const { UploadId } = await bucket.call((options) => client.send(begin, options))
  if (UploadId === undefined) throw new StoreUnavailable('The bucket began an upload without naming it')
  const upload = { ...placeOf(bucket, key), UploadId }
  try {
    const Parts = await putEachPart(bucket, limit, upload, file)
    await complete(bucket, upload, Parts, file.size)
  } catch (error) {
    const abort = new AbortMultipartUploadCommand(upload)
    // Should this fail too, `removeUnfinished` sees to it.
    await bucket.call((options) => client.send(abort, options)).catch(() => undefined)
    throw error
  }
}

async function complete(bucket: Bucket, upload: Upload, Parts: CompletedPart[], size: number): Promise<void> {
  const command = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } })
  try {
    await bucket.call((options) => bucket.client.send(command, options), { uploads: true })
  } catch (error) {
    // When only the answer was lost, the repeated request finds no upload any more, but the object is there.
    if ((await sizeOf(bucket, upload.Key).catch(() => null)) !== size) throw error
  }
}

type Upload = { readonly Bucket: string; readonly Key: string; readonly UploadId: string }

/** Settles only when no part is under way: one that came behind the abort would stay. */
async function putEachPart(
  bucket: Bucket,
  limit: Limit,
  upload: Upload,
  { path, size }: { readonly path: string; readonly size: number },
): Promise<CompletedPart[]> {
  let hasFailed = false
  const putPart = async (start: number) => {
    if (hasFailed) throw new Error('An earlier part failed')
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
  // Parts begin in their order, so the first that failed is one that had a reason of its own.
  return parts.map((part) => {
    if (part.status === 'rejected') throw part.reason
    return part.value
  })
}

async function putOnePart(bucket: Bucket, upload: Upload, PartNumber: number, bytes: Buffer): Promise<CompletedPart> {
  const md5 = md5Of(bytes)
  const command = new UploadPartCommand({ ...upload, ...checksumOf(bucket, md5), PartNumber, Body: bytes })
  const answer = await bucket.call((options) => bucket.client.send(command, options), { uploads: true })
  if (!isOf(answer, md5)) throw new OtherBytesKept('The bucket has kept other bytes than were sent')
  return { PartNumber, ETag: answer.ETag, ChecksumCRC32: answer.ChecksumCRC32 }
}

const placeOf = ({ settings }: Bucket, key: string) => ({ Bucket: settings.bucket, Key: key })

const md5Of = (bytes: Buffer): Buffer => createHash('md5').update(bytes).digest()

/** What is sent along for the bucket to check; where the SDK may, it adds its own. */
const checksumOf = ({ settings }: Bucket, md5: Buffer) =>
  settings.checksums === 'when-required' ? { ContentMD5: md5.toString('base64') } : {}

type PutAnswer = Pick<PutObjectCommandOutput, 'ETag' | 'SSEKMSKeyId' | 'SSECustomerAlgorithm'>

/** Whether the ETag of an answer is that of the bytes that were sent, as far as it can be told. */
function isOf({ ETag = '', SSEKMSKeyId, SSECustomerAlgorithm }: PutAnswer, md5: Buffer): boolean {
  // Encrypted with a key of KMS or of the customer's, an object's ETag is no MD5 though it looks like one.
  if (SSEKMSKeyId !== undefined || SSECustomerAlgorithm !== undefined) return true
  const etag = ETag.replaceAll('"', '').toLowerCase()
  return !/^[0-9a-f]{32}$/.test(etag) || etag === md5.toString('hex')
}
