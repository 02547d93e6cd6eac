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

/**
 * Writes a file anew with only what its picture needs: the same pixels and the same animation, profile and orientation,
 * and nothing else. Refuses a file that is damaged, that passes a cap, or that is not of the format.
 */
export async function cleanImage(format: Format, bytes: Buffer): Promise<Cleaning> {
  return cleaners[format](bytes)
}
