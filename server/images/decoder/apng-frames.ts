import sharp, { type Sharp } from 'sharp'
import { composeFrames, framesOfApng } from '#server/images/clean/apng.ts'

/**
 * Decodes an APNG, of which sharp shows the first picture alone: each frame is a PNG of its own, drawn onto the canvas as
 * its frame control says. The canvas of every frame is kept, four bytes a pixel.
 */
export async function openApng(bytes: Buffer): Promise<() => Sharp> {
  throw new Error('not yet')
}
