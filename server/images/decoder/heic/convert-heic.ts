import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { type HeicColour, readHeic } from '#server/cleaning/avif/heic.ts'
import type { CleaningRefusal, Removed } from '#server/cleaning/cleaning.ts'
import { profileSegments } from '#server/cleaning/jpeg/jpeg-applications.ts'
import { colourProfile } from './colour-profile.ts'

export type Conversion =
  | {
      readonly outcome: 'converted'
      readonly jpeg: Buffer
      readonly removed: readonly Removed[]
      readonly exif: Buffer | undefined
    }
  | { readonly outcome: CleaningRefusal }

/** The longest side of a JPEG. */
const MAX_SIDE = 65_535

const decoded = z.strictObject({ width: z.int(), height: z.int(), jpeg: z.instanceof(Uint8Array) })

/** Converts the primary picture of a HEIC to a JPEG: upright, in the same colours, without any metadata. Transparent pixels
 *  become white. Headers are checked against the caps before the decoder sees the file. Throws on damage. */
export async function convertHeic(path: string): Promise<Conversion> {
  const header = readHeic(await readFile(path))
  if (header.outcome !== 'read') return header
  const { width, height, colour, picture, removed, exif } = header
  if (width > MAX_SIDE || height > MAX_SIDE) return { outcome: 'too-many-pixels' }
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: picture })
  // Rejects with what the worker throws: about this file, unless the package is not installed.
  const [message] = await once(worker, 'message').catch((error: unknown) => {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    if (isMissing) return []
    throw new Error('the picture cannot be decoded', { cause: error })
  })
  if (message === undefined) return { outcome: 'unsupported' }
  const { jpeg, ...size } = decoded.parse(message)
  if (size.width !== width || size.height !== height) return { outcome: 'undecodable' }
  return { outcome: 'converted', jpeg: withProfile(jpeg, colour), removed, exif }
}

function withProfile(jpeg: Uint8Array, colour: HeicColour): Buffer {
  const profile = colourProfile(colour)
  const start = 2
  const segments = profile ? profileSegments(profile) : []
  return Buffer.concat([jpeg.subarray(0, start), ...segments, jpeg.subarray(start)])
}
