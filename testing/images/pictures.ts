import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import type { Format } from '#server/images/format.ts'

export interface PictureOptions {
  readonly format?: Format
  readonly width?: number
  readonly height?: number
  /** Each seed makes a different picture. */
  readonly seed?: number
  /** The EXIF orientation, 1 to 8, of a JPEG, PNG or WebP. */
  readonly orientation?: number
}

/** A picture of soft colours with some grain. The same options make the same bytes. */
export async function picture(options: PictureOptions = {}): Promise<Buffer> {
  const { format = 'jpeg', width = 640, height = 480, seed = 1, orientation } = options
  const raw = { width, height, channels: 3 } as const
  const image = sharp(pixels(width, height, seed), { raw })
  return encode(orientation ? image.withMetadata({ orientation }) : image, format)
}

/** An animated GIF or WebP. */
export async function animation(
  format: 'gif' | 'webp',
  { frames = 6, width = 120, height = 80, seed = 1 } = {},
): Promise<Buffer> {
  const all = Buffer.concat(Array.from({ length: frames }, (_, index) => pixels(width, height, seed * 1_000 + index)))
  const raw = { width, height: height * frames, channels: 3, pageHeight: height } as const
  const image = sharp(all, { raw })
  const delay = Array.from({ length: frames }, () => 80)
  return format === 'gif' ? image.gif({ delay, effort: 1 }).toBuffer() : image.webp({ delay, effort: 0 }).toBuffer()
}

/** A PNG of `width` x `height` pixels in a single colour: a few bytes per megapixel. */
export function flatPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(1, 8)
  const line = 1 + Math.ceil(width / 8)
  return makePng([
    ['IHDR', header],
    ['IDAT', deflateSync(Buffer.alloc(line * height), { level: 9 })],
    ['IEND', Buffer.alloc(0)],
  ])
}

/** A GIF of `frames` frames of one pixel. */
export function manyFramesGif(frames: number): Buffer {
  const header = Buffer.from('47494638396101000100800000000000ffffff', 'hex')
  const frame = Buffer.from('21f90400010000002c0000000001000100000202440100', 'hex')
  return Buffer.concat([header, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])])
}

/** Joins chunks with their lengths and checksums after PNG's signature. */
export function makePng(chunks: readonly (readonly [type: string, data: Buffer])[]): Buffer {
  const parts = chunks.map(([type, data]) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  })
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts])
}

function encode(image: Sharp, format: Format): Promise<Buffer> {
  switch (format) {
    case 'jpeg':
      return image.jpeg({ quality: 85 }).toBuffer()
    case 'png':
      return image.png().toBuffer()
    case 'gif':
      return image.gif({ effort: 1 }).toBuffer()
    case 'webp':
      return image.webp({ quality: 80, effort: 1 }).toBuffer()
    case 'avif':
      return image.avif({ quality: 60, effort: 0 }).toBuffer()
  }
}

/** Three waves of colour and grain from a linear congruential generator (Numerical Recipes). */
function pixels(width: number, height: number, seed: number): Buffer {
  const data = Buffer.alloc(width * height * 3)
  const across = Float64Array.from({ length: width * 3 }, (_, at) => {
    return Math.sin((Math.floor(at / 3) / width) * 4 + seed + (at % 3))
  })
  let state = seed >>> 0
  let along = 0
  for (let at = 0, column = 0; at < data.length; at += 1, column += 1) {
    if (column === across.length) column = 0
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    if (at % 3 === 0) along = Math.cos((at / 3 / data.length) * 12 + seed)
    data[at] = 128 + Math.round(((across[column] ?? 0) + along) * 55) + (state >>> 28)
  }
  return data
}
