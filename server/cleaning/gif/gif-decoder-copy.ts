import { colourTableBytes } from './gif-blocks.ts'
import { SCREEN_END } from './gif-layout.ts'

/** A transparent pixel: its control, its place, its colours, and its LZW data. */
const PIXEL = Buffer.from('21f90401000000002c00000000010001008000000000000002024401003b'.slice(0, -2), 'hex')
const PLACE = 9

/** Returns a clean GIF with one more frame at the beginning: a transparent pixel in the last corner. libnsgif, the decoder,
 *  ignores a screen that is larger than 2,048 pixels or has the size of an old monitor, and takes the extent of the first
 *  frame. With this one it draws the same canvas as browsers. */
export function withCornerFrame(gif: Buffer, { width, height }: { width: number; height: number }): Buffer[] {
  const head = SCREEN_END + colourTableBytes(gif[10] ?? 0)
  const pixel = Buffer.from(PIXEL)
  pixel.writeUInt16LE(width - 1, PLACE)
  pixel.writeUInt16LE(height - 1, PLACE + 2)
  return [gif.subarray(0, head), pixel, gif.subarray(head)]
}
