import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandInput,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  type MultipartUpload,
} from '@aws-sdk/client-s3'
import { isObjectKey, type ListedObject, ObjectStoreUnavailable } from '../object-store.ts'
import type { S3Bucket } from './bucket.ts'
import { failedAnswer, readStatus } from './failure.ts'

/** The largest page that most providers return. */
const PAGE = 1000

/** Lists the store's objects whose key begins with `prefix`. Other objects under the bucket's prefix are not Sluice's
 *  and are skipped. */
export async function* listObjects({ settings, client, call }: S3Bucket, prefix: string): AsyncIterable<ListedObject> {
  const place = { Bucket: settings.bucket, Prefix: settings.prefix + prefix, MaxKeys: PAGE }
  let ContinuationToken: string | undefined
  do {
    const command = new ListObjectsV2Command({ ...place, ContinuationToken })
    const page: ListObjectsV2CommandOutput = await call((options) => client.send(command, options))
    for (const { Key = '', Size, LastModified } of page.Contents ?? []) {
      const key = Key.slice(settings.prefix.length)
      if (!isObjectKey(key) || Size === undefined || LastModified === undefined) continue
      yield { key, size: Size, modifiedAt: LastModified }
    }
    const next = page.IsTruncated ? page.NextContinuationToken : undefined
    if (next !== undefined && next === ContinuationToken) throw repeatedPage()
    ContinuationToken = next
  } while (ContinuationToken !== undefined)
}

/** Aborts the store's multipart uploads that began before `before` and returns how many. Providers that cannot list
 *  uploads keep them. */
export async function removeUploads(bucket: S3Bucket, before: Date): Promise<number> {
  const { settings, client, call } = bucket
  let removed = 0
  for await (const { Key = '', UploadId, Initiated } of listUploads(bucket)) {
    if (!isObjectKey(Key.slice(settings.prefix.length)) || !Initiated || Initiated >= before) continue
    const abort = new AbortMultipartUploadCommand({ Bucket: settings.bucket, Key, UploadId })
    await call((options) => client.send(abort, options)).catch((error: unknown) => {
      // Another process aborted it first, or it has completed.
      if (failedAnswer(error)?.Code !== 'NoSuchUpload') throw error
    })
    removed += 1
  }
  return removed
}

type Markers = Pick<ListMultipartUploadsCommandInput, 'KeyMarker' | 'UploadIdMarker'>

async function* listUploads({ settings, client, call }: S3Bucket): AsyncIterable<MultipartUpload> {
  const place = { Bucket: settings.bucket, Prefix: settings.prefix }
  let at: Markers = {}
  for (;;) {
    const command = new ListMultipartUploadsCommand({ ...place, ...at })
    const page: ListMultipartUploadsCommandOutput | null = await call((options) => client.send(command, options)).catch(
      (error: unknown) => {
        if ([405, 501].includes(readStatus(error) ?? 0)) return null
        throw error
      },
    )
    yield* page?.Uploads ?? []
    if (!page?.IsTruncated) return
    const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page
    if (KeyMarker === at.KeyMarker && UploadIdMarker === at.UploadIdMarker) throw repeatedPage()
    at = { KeyMarker, UploadIdMarker }
  }
}

/** A list that repeats a page would be requested, and billed, forever. */
const repeatedPage = () => new ObjectStoreUnavailable('bucket repeated a page of its list')
