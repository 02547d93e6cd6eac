import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Removed } from '#server/cleaning/cleaning.ts'
import type { TempFolder } from '#server/storage/temp-folder.ts'
import type { Lane, Turn } from '#server/turns/lanes.ts'
import type { RenderedAs } from '../brand.ts'
import { cleanPath, type Decoder } from '../decoder/decoder.ts'
import { sniffFormat } from '../format.ts'
import { hashFile } from '../storing/hash-file.ts'
import type { VerifiedFile } from '../storing/verified-file.ts'
import type { KeptPictures } from './kept-pictures.ts'
import { hashVariants, type LateVariants, lateVariants, withVariants } from './late-variants.ts'
import { type Received, receiveFile } from './receive-file.ts'
import type { UploadRefusal } from './upload-refusals.ts'

export interface ReceivingParts {
  readonly decoder: Decoder
  readonly temp: TempFolder
  readonly maxBytes: number
  /** Where pictures are kept whose larger variants follow the answer; without it, all are made before. */
  readonly pictures?: KeptPictures
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
  readonly renderedAs?: RenderedAs | undefined
  /** Called with the bytes as they are received. */
  onRead?(bytes: number): void
}

/** A verified file in the temp folder. Disposing of it deletes the file, and its late variants unless they were taken. */
export interface ReceivedUpload extends AsyncDisposable {
  readonly outcome: 'received'
  readonly file: VerifiedFile
  /** The variants that are still to be made, which the caller takes over; null if there are none, or they were taken. */
  takeLate(): LateVariants | null
  readonly removed: readonly Removed[]
  /** The type of the upload, if it was converted. */
  readonly convertedFrom: 'image/heic' | null
}

export interface RefusedUpload {
  readonly outcome: Exclude<UploadRefusal, 'over-quota'>
}

/** The result for a file in the temp folder. */
export type Verified =
  | ({ readonly outcome: 'verified'; readonly late: LateVariants | null } & Pick<
      ReceivedUpload,
      'file' | 'removed' | 'convertedFrom'
    >)
  | RefusedUpload

/** Receives, cleans and fully decodes a file, so that it can be stored. A refused file leaves nothing. */
export async function receiveUpload(parts: ReceivingParts, upload: Upload): Promise<ReceivedUpload | RefusedUpload> {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await parts.temp.create())
  const path = join(folder.path, 'upload')
  const { body, signal, lane, isOwned, renderedAs } = upload
  const onRead = (bytes: number) => upload.onRead?.(bytes)
  const received = await receiveFile(body, { path, maxBytes: parts.maxBytes, signal, isOwned, onRead })
  if (received.outcome !== 'received') return { outcome: received.outcome }
  const { decoder, pictures } = parts
  const verified = await verifyUpload(
    decoder,
    folder.path,
    { ...received, path, renderedAs },
    { lane, signal },
    pictures,
  )
  if (verified.outcome !== 'verified') return verified
  // Only the cleaned file is stored. A form may have twenty files waiting, so free the space now.
  await rm(path)
  const { late: given, outcome: _, ...stated } = verified
  let late = given
  const takeLate = () => {
    const taken = late
    late = null
    return taken
  }
  opened.defer(() => late?.[Symbol.asyncDispose]())
  const toDispose = opened.move()
  return { outcome: 'received', ...stated, takeLate, [Symbol.asyncDispose]: () => toDispose.disposeAsync() }
}

type ReceivedFile = Omit<Extract<Received, { outcome: 'received' }>, 'outcome'> & {
  readonly path: string
  readonly renderedAs?: RenderedAs | undefined
}

/** Detects the format of a file in the temp folder by its first bytes, cleans and decodes it, and hashes it and its variants. Given
 *  a place for its picture, leaves all variants but the smallest for later. */
export async function verifyUpload(
  decoder: Decoder,
  folder: string,
  upload: ReceivedFile,
  turn: Turn,
  pictures?: KeptPictures,
): Promise<Verified> {
  if (upload.size === 0) return { outcome: 'empty' }
  const format = sniffFormat(upload.head)
  if (!format) return { outcome: 'not-an-image' }
  await using opened = new AsyncDisposableStack()
  const place = opened.use((upload.renderedAs ? null : await pictures?.takePlace()) ?? null)
  const job = { path: upload.path, format, folder, renderedAs: upload.renderedAs, keepIn: place?.path }
  const decoded = await decoder.decode(job, turn)
  if (decoded.outcome !== 'decoded') return decoded
  const { removed, kept, outcome: _, ...facts } = decoded
  const original = await hashFile(cleanPath(folder))
  const variants = await hashVariants(folder, decoded.variants)
  const convertedFrom = format === 'heic' ? ('image/heic' as const) : null
  const uploadSha256 = convertedFrom && (await hashFile(upload.path)).sha256
  const file = { ...facts, original, uploadSha256, variants, reserved: 0 }
  const said = { outcome: 'verified', removed, convertedFrom } as const
  if (!place || !kept) return { ...said, file, late: null }
  const late = lateVariants(decoder, place, kept, original.size)
  if (place.takeRoom(kept.width * kept.height * kept.channels)) {
    opened.move()
    return { ...said, file: { ...file, reserved: late.reserved }, late }
  }
  // There is no room for the picture, so the answer waits for all variants.
  const made = await late.make(turn)
  return made ? { ...said, file: withVariants(file, made), late: null } : { outcome: 'busy' }
}
