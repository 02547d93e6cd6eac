import { join } from 'node:path'
import type { Removed } from '#server/cleaning/cleaning.ts'
import type { TempFolder } from '#server/storage/temp-folder.ts'
import { cleanPath, type Decoder, variantPath } from '../decoder/decoder.ts'
import { formats, sniffFormat } from '../format.ts'
import { titleOf } from '../names.ts'
import { hashFile } from '../storing/hash-file.ts'
import { type StoreOutcome, type StoringParts, storeImage, type VerifiedFile } from '../storing/store-image.ts'
import type { VisibilityWish } from '../visibility.ts'
import { type Received, receiveFile } from './receive-file.ts'
import type { UploadRefusal } from './upload-refusals.ts'

export interface UploadParts extends StoringParts {
  readonly decoder: Decoder
  readonly temp: TempFolder
  readonly maxBytes: number
}

export interface Upload {
  readonly body: ReadableStream<Uint8Array>
  /** See ReceiveOptions. */
  readonly isOwned?: boolean
  readonly signal: AbortSignal | undefined
  readonly ownerId: string
  /** Cleaned; '' when the client gave none. */
  readonly filename: string
  /** Null where it comes behind the file: see NewImage. */
  readonly wish: VisibilityWish | null
  /** Told of the bytes that are received, as they come. */
  onRead?(bytes: number): void
}

export type UploadOutcome =
  | (Extract<StoreOutcome, { outcome: 'stored' }> & { readonly removed: readonly Removed[] })
  | Extract<StoreOutcome, { outcome: 'over-quota' }>
  | { readonly outcome: Exclude<UploadRefusal, 'over-quota'> }

type Verified =
  | { readonly outcome: 'verified'; readonly file: VerifiedFile; readonly removed: readonly Removed[] }
  | { readonly outcome: Exclude<UploadRefusal, 'over-quota'> }

/** Takes a file in: received, told by its first bytes, cleaned, decoded to its end, stored. A refused one leaves nothing. */
export async function acceptUpload(parts: UploadParts, upload: Upload): Promise<UploadOutcome> {
  await using folder = await parts.temp.create()
  const path = join(folder.path, 'upload')
  const { body, signal, isOwned } = upload
  const onRead = (bytes: number) => upload.onRead?.(bytes)
  const received = await receiveFile(body, { path, maxBytes: parts.maxBytes, signal, isOwned, onRead })
  if (received.outcome !== 'received') return { outcome: received.outcome }
  const verified = await verifyUpload(parts.decoder, folder.path, { ...received, path })
  if (verified.outcome !== 'verified') return verified
  const { file, removed } = verified
  const filename = upload.filename || `image.${formats[file.format].extension}`
  const { ownerId, wish } = upload
  const stored = await storeImage(parts, file, { ownerId, wish, filename, title: titleOf(filename) })
  return stored.outcome === 'stored' ? { ...stored, removed } : stored
}

type ReceivedFile = Omit<Extract<Received, { outcome: 'received' }>, 'outcome'> & { readonly path: string }

/** Has a file in the temp folder told by its first bytes, cleaned, decoded and hashed, with its variants. */
export async function verifyUpload(decoder: Decoder, folder: string, upload: ReceivedFile): Promise<Verified> {
  if (upload.size === 0) return { outcome: 'empty' }
  const format = sniffFormat(upload.head)
  if (!format) return { outcome: 'not-an-image' }
  const decoded = await decoder.decode({ path: upload.path, format, folder })
  if (decoded.outcome !== 'decoded') return decoded
  const { width, height, frames, placeholder, removed } = decoded
  const original = await hashFile(cleanPath(folder))
  const variants: VerifiedFile['variants'][number][] = []
  for (const variant of decoded.variants) {
    variants.push({ ...variant, ...(await hashFile(variantPath(folder, variant.width))) })
  }
  return { outcome: 'verified', file: { format, width, height, frames, placeholder, original, variants }, removed }
}
