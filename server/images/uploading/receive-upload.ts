import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Removed } from '#server/cleaning/cleaning.ts'
import type { TempFolder } from '#server/storage/temp-folder.ts'
import type { Lane, Turn } from '#server/turns/lanes.ts'
import type { BrandKind } from '../brand.ts'
import { cleanPath, type Decoder, variantPath } from '../decoder/decoder.ts'
import { sniffFormat } from '../format.ts'
import { hashFile } from '../storing/hash-file.ts'
import type { VerifiedFile } from '../storing/verified-file.ts'
import { type Received, receiveFile } from './receive-file.ts'
import type { UploadRefusal } from './upload-refusals.ts'

export interface ReceivingParts {
  readonly decoder: Decoder
  readonly temp: TempFolder
  readonly maxBytes: number
}

export interface Upload {
  readonly body: ReadableStream<Uint8Array>
  /** See ReceiveOptions. */
  readonly isOwned?: boolean
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal | undefined
  /** Whose turn it takes at the decoders. */
  readonly lane: Lane
  /** What it is rendered as in place of the variants. */
  readonly brand?: BrandKind | undefined
  /** Called with the bytes as they are received. */
  onRead?(bytes: number): void
}

/** A verified file in the temp folder. Disposing of it deletes the file. */
export interface ReceivedUpload extends AsyncDisposable {
  readonly outcome: 'received'
  readonly file: VerifiedFile
  readonly removed: readonly Removed[]
}

export interface RefusedUpload {
  readonly outcome: Exclude<UploadRefusal, 'over-quota'>
}

/** The result for a file in the temp folder. */
export type Verified =
  | { readonly outcome: 'verified'; readonly file: VerifiedFile; readonly removed: readonly Removed[] }
  | RefusedUpload

/** Receives, cleans and fully decodes a file, so that it can be stored. A refused file leaves nothing. */
export async function receiveUpload(parts: ReceivingParts, upload: Upload): Promise<ReceivedUpload | RefusedUpload> {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await parts.temp.create())
  const path = join(folder.path, 'upload')
  const { body, signal, lane, isOwned, brand } = upload
  const onRead = (bytes: number) => upload.onRead?.(bytes)
  const received = await receiveFile(body, { path, maxBytes: parts.maxBytes, signal, isOwned, onRead })
  if (received.outcome !== 'received') return { outcome: received.outcome }
  const verified = await verifyUpload(parts.decoder, folder.path, { ...received, path, brand }, { lane, signal })
  if (verified.outcome !== 'verified') return verified
  // Only the cleaned file is stored. A form may have twenty files waiting, so free the space now.
  await rm(path)
  const { file, removed } = verified
  const toDispose = opened.move()
  return { outcome: 'received', file, removed, [Symbol.asyncDispose]: () => toDispose.disposeAsync() }
}

type ReceivedFile = Omit<Extract<Received, { outcome: 'received' }>, 'outcome'> & {
  readonly path: string
  readonly brand?: BrandKind | undefined
}

/** Detects the format of a file in the temp folder by its first bytes, cleans and decodes it, and hashes it and its variants. */
export async function verifyUpload(
  decoder: Decoder,
  folder: string,
  upload: ReceivedFile,
  turn: Turn,
): Promise<Verified> {
  if (upload.size === 0) return { outcome: 'empty' }
  const format = sniffFormat(upload.head)
  if (!format) return { outcome: 'not-an-image' }
  const decoded = await decoder.decode({ path: upload.path, format, folder, brand: upload.brand }, turn)
  if (decoded.outcome !== 'decoded') return decoded
  const { width, height, frames, placeholder, removed } = decoded
  const original = await hashFile(cleanPath(folder))
  const variants: VerifiedFile['variants'][number][] = []
  for (const variant of decoded.variants) {
    variants.push({ ...variant, ...(await hashFile(variantPath(folder, variant.width))) })
  }
  return { outcome: 'verified', file: { format, width, height, frames, placeholder, original, variants }, removed }
}
