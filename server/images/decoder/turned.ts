import type { Size } from '#server/images/variant.ts'

/** Applies EXIF's orientation of 1 to 8 to RGBA pixels; sharp applies it only to files. */
export function orient(pixels: Buffer, { width, height }: Size, orientation: number): Buffer {
  if (orientation === 1) return Buffer.from(pixels)
  const isOnItsSide = orientation > 4
  const fromRight = [2, 3, 7, 8].includes(orientation)
  const fromBelow = [3, 4, 6, 7].includes(orientation)
  const seen = Buffer.alloc(pixels.length)
  const [from, to] = [toPixelWords(pixels), toPixelWords(seen)]
  const [across, down] = isOnItsSide ? [height, width] : [width, height]
  for (let row = 0; row < down; row += 1) {
    for (let column = 0; column < across; column += 1) {
      const [x, y] = isOnItsSide ? [row, column] : [column, row]
      const source = (fromBelow ? height - 1 - y : y) * width + (fromRight ? width - 1 - x : x)
      to[row * across + column] = from[source] ?? 0
    }
  }
  return seen
}

const toPixelWords = ({ buffer, byteOffset, length }: Buffer) => new Uint32Array(buffer, byteOffset, length / 4)
