import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { joined, makeBox } from '#server/cleaning/avif/iso-boxes.ts'
import { makePng } from './pictures.ts'
import { avifItems, makeAvif } from './tainted-avif.ts'

/** A WebP with a canvas of `side` x `side`, and frames of one pixel at these even places. */
export function sparseWebp(places: readonly (readonly [x: number, y: number])[], side: number): Buffer {
  const canvas = Buffer.from('02000000000000000000', 'hex')
  canvas.writeUIntLE(side - 1, 4, 3)
  canvas.writeUIntLE(side - 1, 7, 3)
  const picture = riff('VP8L', Buffer.from('2f00000000888808', 'hex'))
  const frames = places.map(([x, y]) => {
    const head = Buffer.alloc(16)
    head.writeUIntLE(x / 2, 0, 3)
    head.writeUIntLE(y / 2, 3, 3)
    head.writeUIntLE(10, 12, 3)
    return riff('ANMF', Buffer.concat([head, picture]))
  })
  return riff(
    'RIFF',
    Buffer.concat([Buffer.from('WEBP'), riff('VP8X', canvas), riff('ANIM', Buffer.alloc(6)), ...frames]),
  )
}

export function riff(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(data.length)
  return Buffer.concat([Buffer.from(type, 'latin1'), length, data, Buffer.alloc(data.length % 2)])
}

/** An APNG of two frames of one pixel. Its default image fills the canvas of `side` x `side` but is not a frame. */
export function sparseApng(side: number): Buffer {
  const control = (sequence: number) =>
    joined([
      [4, sequence],
      [4, 1],
      [4, 1],
      [4, 0],
      [4, 0],
      [2, 1],
      [2, 10],
      [2, 0],
    ])
  const pixel = deflateSync(Buffer.from([0, 0x80]))
  return makePng([
    [
      'IHDR',
      joined([
        [4, side],
        [4, side],
        [1, 8],
        [4, 0],
      ]),
    ],
    [
      'acTL',
      joined([
        [4, 2],
        [4, 0],
      ]),
    ],
    ['IDAT', deflateSync(Buffer.alloc((side + 1) * side))],
    ['fcTL', control(0)],
    ['fdAT', joined([[4, 1], pixel])],
    ['fcTL', control(2)],
    ['fdAT', joined([[4, 3], pixel])],
    ['IEND', Buffer.alloc(0)],
  ])
}

/** An AVIF of `coded` x `coded` pixels, of which its clean aperture shows the `seen` x `seen` in the first corner. */
export async function clippedAvif(coded: number, seen: number): Promise<Buffer> {
  const create = { width: coded, height: coded, channels: 3, background: 'red' } as const
  const [item] = avifItems(await sharp({ create }).avif({ effort: 0 }).toBuffer())
  const length = [
    [4, seen],
    [4, 1],
  ] as const
  const offset = [
    [4, (seen - coded) >>> 0],
    [4, 2],
  ] as const
  const box = makeBox('clap', ...length, ...length, ...offset, ...offset)
  return makeAvif(item ? [{ ...item, properties: [...(item.properties ?? []), { box, isEssential: true }] }] : [])
}
