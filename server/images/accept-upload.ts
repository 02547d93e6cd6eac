import { join } from 'node:path'
import type { PrismaClient } from '#server/database/database.ts'
import type { ObjectStore } from '#server/storage/object-store.ts'
import type { TempFolder } from '#server/storage/temp-folder.ts'
import type { Decoder } from './decoder.ts'
import { formats, sniffFormat } from './format.ts'
import type { ImageRow } from './image-row.ts'
import { titleOf } from './names.ts'
import { type Received, receiveFile } from './receive-file.ts'
import type { Removals } from './removals.ts'
import { storeImage, type VerifiedFile } from './store-image.ts'
import type { UploadRefusal } from './upload-refusals.ts'
import { variantHeights, variantWidths } from './variant.ts'

export interface UploadParts {
  readonly db: PrismaClient
  readonly store: ObjectStore
  readonly decoder: Decoder
  readonly removals: Removals
  readonly temp: TempFolder
  readonly maxBytes: number
}

export interface Upload {
  readonly body: ReadableStream<Uint8Array>
  readonly signal: AbortSignal | undefined
  readonly ownerId: string
  /** Cleaned; '' when the client gave none. */
  readonly filename: string
  readonly visibility: 'private' | 'link' | 'public'
}

export type UploadOutcome =
  | { readonly outcome: 'stored'; readonly image: ImageRow }
  | { readonly outcome: UploadRefusal }

type Step<T> = { readonly outcome: 'ok'; readonly value: T } | { readonly outcome: UploadRefusal }

/** Takes a file in: received and hashed, told by its first bytes, decoded to its end, stored. A refused one leaves nothing. */
export async function acceptUpload(parts: UploadParts, upload: Upload): Promise<UploadOutcome> {
  await using folder = await parts.temp.create()
  const path = join(folder.path, 'original')
  const received = await receiveFile(upload.body, { path, maxBytes: parts.maxBytes, signal: upload.signal })
  if (received.outcome !== 'received') return { outcome: received.outcome }
  const verified = await verify(parts.decoder, folder.path, { ...received, path })
  if (verified.outcome !== 'ok') return verified
  const file = verified.value
  const filename = upload.filename || `image.${file.mime.split('/')[1]}`
  const { ownerId, visibility } = upload
  const image = await storeImage(parts.db, parts.store, file, {
    ownerId,
    visibility,
    filename,
    title: titleOf(filename),
  })
  if (image) return { outcome: 'stored', image }
  parts.removals.add([file.sha256])
  return { outcome: 'owner-gone' }
}

type ReceivedFile = Extract<Received, { outcome: 'received' }> & { readonly path: string }

async function verify(decoder: Decoder, folder: string, file: ReceivedFile): Promise<Step<VerifiedFile>> {
  if (file.size === 0) return { outcome: 'empty' }
  const format = sniffFormat(file.head)
  if (!format) return { outcome: 'not-an-image' }
  const variants = variantWidths.map((width) => ({
    path: join(folder, `w${width}.webp`),
    width,
    height: variantHeights[width],
  }))
  const decoded = await decoder.decode({ path: file.path, format, variants })
  if (decoded.outcome !== 'decoded') return decoded
  const value = {
    sha256: file.sha256,
    original: { path: file.path, size: file.size },
    variants: variants.map(({ path }, index) => ({ path, size: decoded.variantSizes[index] ?? 0 })),
    mime: formats[format].mime,
    width: decoded.width,
    height: decoded.height,
  }
  return { outcome: 'ok', value }
}
