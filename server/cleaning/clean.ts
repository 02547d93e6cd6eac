import type { Format } from '#server/images/format.ts'
import { cleanAvif } from './avif/avif.ts'
import type { Cleaning } from './cleaning.ts'
import { cleanGif } from './gif/gif.ts'
import { cleanJpeg } from './jpeg/jpeg.ts'
import { cleanPng } from './png/png.ts'
import { cleanWebp } from './webp/webp.ts'

const cleaners = {
  jpeg: cleanJpeg,
  png: cleanPng,
  gif: cleanGif,
  webp: cleanWebp,
  avif: cleanAvif,
} satisfies Record<Format, (bytes: Buffer) => Cleaning | Promise<Cleaning>>

/** Rewrites a file with only what its picture needs: the same pixels, animation, colour profile and orientation, and
 *  nothing else. Coded pixels are never re-encoded. Only the clean file is stored, decoded and hashed, so no metadata
 *  of an upload ever reaches anyone. What fills up the coded picture of a WebP or AVIF within its chunk or unit stays,
 *  because only decoding it would tell where the picture ends. Refuses a file that is damaged, exceeds a cap, or is of
 *  another format. */
export async function cleanImage(format: Format, bytes: Buffer): Promise<Cleaning> {
  return cleaners[format](bytes)
}
