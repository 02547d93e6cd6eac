import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type ObjectStore, originalKey } from '#server/storage/object-store.ts'
import type { TempFolder } from '#server/storage/temp-folder.ts'
import type { Lane } from '#server/turns/lanes.ts'
import type { Decoder } from '../decoder/decoder.ts'
import { SNIFF_BYTES } from '../format.ts'
import { type Verified, verifyUpload } from '../uploading/receive-upload.ts'

/** All maintenance is one owner at the decoders. */
const MAINTENANCE_LANE: Lane = ['maintenance']

export interface OriginalParts {
  readonly store: ObjectStore
  readonly decoder: Decoder
  readonly temp: TempFolder
}

/** Reads an original from the store into a temp folder, and cleans and decodes it there like an upload. */
export async function verifyOriginal(
  { store, decoder }: Pick<OriginalParts, 'store' | 'decoder'>,
  sha256: string,
  folder: string,
  signal: AbortSignal,
): Promise<Verified> {
  const path = join(folder, 'upload')
  const { body, size } = await store.open(originalKey(sha256))
  await pipeline(body, createWriteStream(path, { mode: 0o600 }), { signal })
  return verifyUpload(decoder, folder, { path, size, head: await readHead(path) }, { lane: MAINTENANCE_LANE, signal })
}

async function readHead(path: string): Promise<Buffer> {
  await using file = await open(path, 'r')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}
