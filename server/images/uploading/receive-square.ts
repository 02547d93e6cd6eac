import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { squarePath } from '../decoder/decoder.ts'
import { sniffFormat } from '../format.ts'
import { receiveFile } from './receive-file.ts'
import type { ReceivingParts, RefusedUpload, Upload } from './receive-upload.ts'

export interface ReceivedSquare {
  readonly outcome: 'received'
  /** A WebP. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Receives, cleans and fully decodes a file like an upload, and returns a small square of it. Nothing of it stays on the disk. */
export async function receiveSquare(
  { decoder, temp, maxBytes }: ReceivingParts,
  { body, signal, lane }: Omit<Upload, 'isOwned' | 'onRead'>,
): Promise<ReceivedSquare | RefusedUpload> {
  await using folder = await temp.create()
  const path = join(folder.path, 'upload')
  const received = await receiveFile(body, { path, maxBytes, signal, isOwned: true })
  if (received.outcome !== 'received') return { outcome: received.outcome }
  if (received.size === 0) return { outcome: 'empty' }
  const format = sniffFormat(received.head)
  if (!format) return { outcome: 'not-an-image' }
  const decoded = await decoder.decode({ path, format, folder: folder.path, isSquare: true }, { lane, signal })
  if (decoded.outcome !== 'decoded') return decoded
  return { outcome: 'received', bytes: new Uint8Array(await readFile(squarePath(folder.path))) }
}
