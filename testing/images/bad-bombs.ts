import { deflateSync } from 'node:zlib'
import { joined, makeBox, makeFullBox } from '#server/cleaning/avif/iso-boxes.ts'
import type { Format } from '#server/images/format.ts'
import { avifGrid } from './avif-grid.ts'
import { listBlocks } from './image-blocks.ts'
import { manyScans } from './many-scans.ts'
import { flatPng, makePng, manyFramesGif } from './pictures.ts'
import { avifItems, makeAvif } from './tainted-avif.ts'
import { makeGif } from './tainted-gif.ts'
import { riff, sparseApng, sparseWebp } from './vast-canvases.ts'

/** A bomb: its header or metadata announce more than is accepted. */
export interface Bomb {
  readonly class: 'pixel bomb' | 'frame bomb' | 'metadata bomb'
  readonly format: Format
  readonly name: string
  readonly bytes: Buffer
}

const TOO_MUCH = 9 * 1024 * 1024

/** Files that must be refused by their headers alone, made from a valid image of each format. */
export function bombs(sound: Readonly<Record<Format, Buffer>>): Bomb[] {
  return [...pixelBombs(sound), ...frameBombs(), ...metadataBombs(sound)]
}

function pixelBombs(sound: Readonly<Record<Format, Buffer>>): Bomb[] {
  const bomb = (format: Format, name: string, bytes: Buffer): Bomb => ({ class: 'pixel bomb', format, name, bytes })
  const pixel = { width: 1, height: 1 }
  const [item] = avifItems(sound.avif)
  const ispe = { box: makeFullBox('ispe', 0, [4, 30_000], [4, 30_000]) }
  return [
    bomb('png', 'flat, 30,000 x 30,000', flatPng(30_000, 30_000)),
    bomb('png', '2,147,483,647 pixels wide', stretched('png', sound.png, 0x7fffffff)),
    bomb('jpeg', '65,500 x 65,500', stretched('jpeg', sound.jpeg, 65_500)),
    bomb('gif', '65,535 x 65,535', stretched('gif', sound.gif, 65_535)),
    bomb(
      'webp',
      '16,384 x 16,384',
      makeWebp([riff('VP8X', Buffer.from('00000000ff3f00ff3f00', 'hex')), sound.webp.subarray(12)]),
    ),
    bomb('avif', '30,000 x 30,000', makeAvif(item ? [{ ...item, properties: [ispe] }] : [])),
    ...(item
      ? [
          bomb('avif', 'a grid of 16 x 16 tiles, 16,000 x 16,000', avifGrid(item, 16, 16_000, 16_000)),
          bomb('avif', 'a grid that shows a corner of 32 x 32 tiles', avifGrid(item, 32, 10, 10)),
        ]
      : []),
    bomb(
      'gif',
      'two pixels far apart',
      makeGif([pixel, { ...pixel, x: 9_999, y: 9_999 }], { width: 10_000, height: 10_000 }),
    ),
    bomb(
      'webp',
      'two pixels far apart',
      sparseWebp(
        [
          [0, 0],
          [9_998, 9_998],
        ],
        10_000,
      ),
    ),
    bomb('png', 'two pixels of an APNG', sparseApng(2_000)),
    bomb('avif', '4,294,967,295 x 4,294,967,295', stretched('avif', sound.avif, 0xffffffff)),
  ]
}

/** The same file with the first sizes in its header replaced. Checksums are not corrected. */
function stretched(format: Format, file: Buffer, size: number): Buffer {
  const bytes = Buffer.from(file)
  const fields = listBlocks(format, file).flatMap(({ fields }) => fields.filter(({ isDimension }) => isDimension))
  for (const { at, bytes: length, isLittleEndian } of fields) {
    if (isLittleEndian) bytes.writeUIntLE(size, at, length)
    else bytes.writeUIntBE(size, at, length)
  }
  return format === 'png'
    ? makePng([
        ['IHDR', bytes.subarray(16, 29)],
        ['IDAT', deflateSync('x')],
        ['IEND', Buffer.alloc(0)],
      ])
    : bytes
}

function frameBombs(): Bomb[] {
  const bomb = (format: Format, name: string, bytes: Buffer): Bomb => ({ class: 'frame bomb', format, name, bytes })
  const wide = manyFramesGif(300)
  wide.writeUInt16LE(1_000, 6)
  wide.writeUInt16LE(1_000, 8)
  return [
    bomb('gif', '1,001 frames', manyFramesGif(1_001)),
    bomb('gif', '10,000 frames', manyFramesGif(10_000)),
    bomb('gif', '300 frames of a megapixel', wide),
    bomb('webp', '1,001 frames', manyFramesWebp(1_001)),
    bomb('webp', '10,000 frames', manyFramesWebp(10_000)),
    bomb('png', '1,001 frames', manyFramesPng(1_001)),
    bomb('jpeg', '883 scans of 36 megapixels', manyScans(6_000, 883)),
  ]
}

function manyFramesWebp(frames: number): Buffer {
  const picture = riff('VP8L', Buffer.from('2f00000000888808', 'hex'))
  const frame = riff('ANMF', joined([Buffer.alloc(12), Buffer.from('0a000000', 'hex'), picture]))
  const head = [riff('VP8X', Buffer.from('02000000000000000000', 'hex')), riff('ANIM', Buffer.alloc(6))]
  return makeWebp([...head, ...Array.from({ length: frames }, () => frame)])
}

function manyFramesPng(frames: number): Buffer {
  const control = (sequence: number): Buffer =>
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
  const others = Array.from({ length: frames - 1 }, (_, index) => [
    ['fcTL', control(index * 2 + 1)] as const,
    ['fdAT', joined([[4, index * 2 + 2], pixel])] as const,
  ])
  return makePng([
    [
      'IHDR',
      joined([
        [4, 1],
        [4, 1],
        [1, 8],
        [4, 0],
      ]),
    ],
    [
      'acTL',
      joined([
        [4, frames],
        [4, 0],
      ]),
    ],
    ['fcTL', control(0)],
    ['IDAT', pixel],
    ...others.flat(),
    ['IEND', Buffer.alloc(0)],
  ])
}

function metadataBombs(sound: Readonly<Record<Format, Buffer>>): Bomb[] {
  const bomb = (format: Format, name: string, bytes: Buffer): Bomb => ({ class: 'metadata bomb', format, name, bytes })
  const much = Buffer.alloc(TOO_MUCH, 0x41)
  const packed = deflateSync(Buffer.alloc(64 * 1024 * 1024), { level: 9 })
  const inPng = (type: string, data: Buffer) =>
    Buffer.concat([sound.png.subarray(0, 33), makePng([[type, data]]).subarray(8), sound.png.subarray(33)])
  const segment = joined([[2, 0xffe5], [2, 65_535], Buffer.alloc(65_533, 0x41)])
  const comment = Buffer.concat([Buffer.from([255]), Buffer.alloc(255, 0x41)])
  const comments = Array.from({ length: TOO_MUCH >> 8 }, () => comment)
  const gifAt = listBlocks('gif', sound.gif)[0]?.end ?? 13
  return [
    bomb('png', 'tEXt', inPng('tEXt', joined(['Comment\0', much]))),
    bomb('png', 'eXIf', inPng('eXIf', joined(['MM\0*', much]))),
    bomb('png', 'many zTXt', inPng('zTXt', joined(['Comment\0\0', packed, much]))),
    bomb(
      'jpeg',
      'APP5',
      Buffer.concat([sound.jpeg.subarray(0, 2), ...Array(145).fill(segment), sound.jpeg.subarray(2)]),
    ),
    bomb(
      'gif',
      'comments',
      Buffer.concat([
        sound.gif.subarray(0, gifAt),
        Buffer.from([0x21, 0xfe]),
        ...comments,
        Buffer.from([0]),
        sound.gif.subarray(gifAt),
      ]),
    ),
    bomb('webp', 'XMP', withChunk(sound.webp, 'XMP ', much)),
    bomb('avif', 'a free box', Buffer.concat([sound.avif, makeBox('free', much)])),
    bomb(
      'avif',
      'an XMP item',
      makeAvif([...avifItems(sound.avif), { id: 99, type: 'mime', contentType: 'application/rdf+xml', data: much }]),
    ),
  ]
}

/** A WebP with one more chunk at its end. */
export function withChunk(webp: Buffer, type: string, data: Buffer): Buffer {
  return makeWebp([webp.subarray(12), riff(type, data)])
}

const makeWebp = (chunks: readonly Buffer[]): Buffer => riff('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]))
