import fc from 'fast-check'
import sharp, { type WebpOptions } from 'sharp'
import { describe, expect, test } from 'vitest'
import { animation, picture } from '#testing/images/pictures.ts'
import { isTainted, TAINT, taintedProfile, taintedTiff, taintedWebp, webpChunk } from '#testing/images/tainted.ts'
import { sample, seed } from '#testing/sampled.ts'
import { MAX_FRAMES, MAX_METADATA, MAX_PROFILE } from '../caps.ts'
import type { Cleaned } from '../cleaning.ts'
import { readChunks, writeChunks } from './riff-chunks.ts'
import { cleanWebp } from './webp.ts'

const orientations = [1, 2, 3, 4, 5, 6, 7, 8] as const

interface Shape {
  readonly width: number
  readonly height: number
  readonly seed: number
  readonly frames: number
  readonly alpha: boolean
  readonly profile: 'none' | 'srgb' | 'p3'
  readonly options: WebpOptions
}

const shapes: fc.Arbitrary<Shape> = fc.record({
  width: fc.integer({ min: 1, max: 50 }),
  height: fc.integer({ min: 1, max: 50 }),
  seed: fc.integer({ min: 1, max: 1_000 }),
  frames: fc.constantFrom(1, 1, 2, 5),
  alpha: fc.boolean(),
  profile: fc.constantFrom('none', 'srgb', 'p3'),
  options: fc.record({
    quality: fc.constantFrom(1, 60, 100),
    lossless: fc.boolean(),
    nearLossless: fc.boolean(),
    effort: fc.constantFrom(0, 2),
    minSize: fc.boolean(),
  }),
})

async function makeWebp({ width, height, seed, frames, alpha, profile, options }: Shape): Promise<Buffer> {
  const source = await picture({ format: 'png', width, height: height * frames, seed })
  const { data, info } = await (alpha ? sharp(source).ensureAlpha(0.5) : sharp(source))
    .raw()
    .toBuffer({ resolveWithObject: true })
  const raw = { width, height: info.height, channels: info.channels, ...(frames > 1 && { pageHeight: height }) }
  const image = sharp(data, { raw })
  return (profile === 'none' ? image : image.withIccProfile(profile)).webp(options).toBuffer()
}

const decode = async (bytes: Buffer) => {
  const image = sharp(bytes, { failOn: 'warning', animated: true })
  const { delay, loop, pages, hasAlpha } = await image.metadata()
  const still = pages === undefined || pages === 1 ? image.autoOrient() : image
  const { data, info } = await still.raw().toBuffer({ resolveWithObject: true })
  return { delay, loop, pages, hasAlpha, data, info }
}

function cleaned(bytes: Buffer): Cleaned & { readonly bytes: Buffer } {
  const cleaning = cleanWebp(bytes)
  if (cleaning.outcome !== 'clean') throw new Error(cleaning.outcome)
  return { ...cleaning, bytes: Buffer.concat(cleaning.parts) }
}

test('keeps the pixels of a tainted picture but nothing of the taint, in any encoding, and changes nothing when cleaning again', async () => {
  await fc.assert(
    fc.asyncProperty(shapes, fc.constantFrom(...orientations), async (shape, orientation) => {
      const original = await makeWebp(shape)
      const tainted = taintedWebp(original, orientation)
      const clean = cleaned(tainted)
      expect(isTainted(clean.bytes)).toBe(false)
      expect(await decode(clean.bytes)).toEqual(await decode(tainted))
      const { width, height } = shape
      expect(clean.header).toEqual({ width, height, frames: clean.header.frames, orientation })
      expect(clean.header.frames).toBe((await decode(original)).pages ?? 1)
      expect(cleaned(clean.bytes)).toMatchObject({ removed: [], bytes: clean.bytes })
    }),
    { numRuns: sample(150, 40), seed },
  )
})

test.each(['still', 'moving'])('leaves a clean %s picture unchanged, byte for byte', async (kind) => {
  const bytes = kind === 'still' ? await picture({ format: 'webp', width: 60, height: 40 }) : await animation('webp')
  expect(cleaned(bytes)).toMatchObject({ bytes, removed: [] })
})

test('reports everything it removes', async () => {
  const bytes = await sharp(await picture({ format: 'png', width: 9, height: 9 }))
    .withIccProfile('p3')
    .webp()
    .toBuffer()
  expect(cleaned(taintedWebp(bytes)).removed.toSorted()).toEqual(['exif', 'other', 'profile-tags', 'trailer', 'xmp'])
})

const still = (): Promise<Buffer> => picture({ format: 'webp', width: 60, height: 40 })
const moving = (): Promise<Buffer> => animation('webp', { frames: 3, width: 20, height: 10 })
const translucent = async (): Promise<Buffer> =>
  sharp(await still())
    .ensureAlpha(0.5)
    .webp()
    .toBuffer()
const chunksOf = (bytes: Buffer) => readChunks(bytes.subarray(12)) ?? []

function webpFrom(...chunks: readonly Buffer[]): Buffer {
  const body = Buffer.concat(chunks)
  const head = Buffer.from('RIFF\0\0\0\0WEBP')
  head.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([head, body])
}

/** A file with the still picture's bitstream, on a canvas of its size. */
async function extended(flags: number, ...chunks: readonly Buffer[]): Promise<Buffer> {
  const canvas = Buffer.from([flags, 0, 0, 0, 59, 0, 0, 39, 0, 0])
  return webpFrom(webpChunk('VP8X', canvas), (await still()).subarray(12), ...chunks)
}

describe('ignores what VP8X does not announce:', () => {
  const exif = webpChunk('EXIF', taintedTiff(6))

  test('an orientation', async () => {
    const [told, untold] = [await extended(0x08, exif), await extended(0, exif)]
    expect(cleaned(told).header.orientation).toBe(6)
    expect(cleaned(untold)).toMatchObject({ bytes: await extended(0), header: { orientation: 1 }, removed: ['exif'] })
    expect(await decode(cleaned(untold).bytes)).toEqual(await decode(untold))
    expect(await decode(cleaned(told).bytes)).toEqual(await decode(told))
  })

  test('a profile', async () => {
    const { icc = Buffer.alloc(0) } = await sharp(
      await sharp(await still())
        .withIccProfile('p3')
        .webp()
        .toBuffer(),
    ).metadata()
    const [told, untold] = [await extended(0x20, webpChunk('ICCP', icc)), await extended(0, webpChunk('ICCP', icc))]
    expect(cleaned(untold)).toMatchObject({ bytes: await extended(0), removed: ['profile-tags'] })
    expect(chunksOf(cleaned(told).bytes).map(({ type }) => type)).toEqual(['VP8X', 'ICCP', 'VP8 '])
    expect(await decode(cleaned(told).bytes)).toEqual(await decode(told))
    const tainted = await extended(0x20, webpChunk('ICCP', taintedProfile(icc)))
    expect(cleaned(tainted).removed).toEqual(['profile-tags'])
    expect(isTainted(cleaned(tainted).bytes)).toBe(false)
    expect(await decode(cleaned(tainted).bytes)).toEqual(await decode(told))
  })
})

test('reads an orientation after EXIF’s JPEG header, and the first of several', async () => {
  const prefixed = webpChunk('EXIF', `Exif\0\0${taintedTiff(8).toString('latin1')}`)
  const bytes = await extended(0x08, prefixed, webpChunk('EXIF', taintedTiff(3)))
  expect(cleaned(bytes).header.orientation).toBe(8)
  expect(await decode(cleaned(bytes).bytes)).toEqual(await decode(bytes))
})

test('leaves out an invalid profile', async () => {
  expect(cleaned(await extended(0x20, webpChunk('ICCP', TAINT)))).toMatchObject({
    bytes: await extended(0),
    removed: ['profile-tags'],
  })
})

test('requires the padding byte of a bitstream to be zero, since decoders read on into it', async () => {
  const [chunk] = chunksOf(await still())
  const odd = Buffer.concat([chunk?.data ?? Buffer.alloc(0), Buffer.alloc(((chunk?.data.length ?? 0) & 1) ^ 1)])
  const clean = webpFrom(...writeChunks([{ type: 'VP8 ', data: odd }]))
  expect(cleaned(clean).bytes).toEqual(clean)
  expect(cleanWebp(Buffer.concat([clean.subarray(0, -1), Buffer.from('T')]))).toEqual({ outcome: 'undecodable' })
  const unpadded = Buffer.from(clean.subarray(0, -1))
  unpadded.writeUInt32LE(unpadded.length - 8, 4)
  expect(cleanWebp(unpadded)).toEqual({ outcome: 'undecodable' })
})

function edit(bytes: Buffer, offset: number, hex: string): Buffer {
  const copy = Buffer.from(bytes)
  copy.write(hex, offset, 'hex')
  return copy
}

describe('refuses', () => {
  test.each<readonly [string, string, (bytes: Buffer) => Buffer]>([
    ['a file shorter than its header', 'undecodable', (bytes) => bytes.subarray(0, 11)],
    ['another RIFF file', 'undecodable', (bytes) => edit(bytes, 8, '57415645')],
    ['a file that is not RIFF', 'undecodable', (bytes) => edit(bytes, 0, '58')],
    ['a length beyond the end', 'undecodable', (bytes) => edit(bytes, 4, 'ffffff7f')],
    ['a length of zero', 'undecodable', (bytes) => edit(bytes, 4, '00000000')],
    ['a chunk beyond the end', 'undecodable', (bytes) => edit(bytes, 16, 'ffffff7f')],
    ['no picture', 'undecodable', (bytes) => edit(bytes, 12, '58585858')],
    ['an alpha channel alone', 'undecodable', (bytes) => edit(bytes, 12, '414c5048')],
    ['a bitstream without a key frame', 'undecodable', (bytes) => edit(bytes, 20, 'ff')],
    ['a bitstream without its start', 'undecodable', (bytes) => edit(bytes, 23, '00')],
    ['a bitstream without width', 'undecodable', (bytes) => edit(bytes, 26, '0000')],
    ['an invalid lossless bitstream', 'undecodable', (bytes) => edit(bytes, 12, '5650384c')],
    ['a lossless bitstream of a later version', 'undecodable', () => webpFrom(webpChunk('VP8L', '\x2f\0\0\0\x20'))],
    ['a lossless bitstream cut', 'undecodable', () => webpFrom(webpChunk('VP8L', '\x2f\0\0'))],
    ['a bitstream cut', 'undecodable', () => webpFrom(webpChunk('VP8 ', '\0\0\0\x9d\x01\x2a'))],
    ['a canvas cut', 'undecodable', () => webpFrom(webpChunk('VP8X', '\0\0'))],
    ['a picture of 256 megapixels', 'too-many-pixels', (bytes) => edit(bytes, 26, 'ff3eff3e')],
    ['too many chunks', 'undecodable', (bytes) => webpFrom(bytes.subarray(12), ...empty)],
  ])('%s: %s', async (_, outcome, spoil) => {
    expect(cleanWebp(spoil(await still()))).toEqual({ outcome })
  })

  const empty = Array.from({ length: 10_000 }, () => webpChunk('NONE', ''))

  test.each<readonly [string, string, () => Promise<Buffer>]>([
    ['a canvas of a different size', 'undecodable', async () => edit(await extended(0), 24, '3a')],
    ['a canvas of too many pixels', 'too-many-pixels', async () => edit(await extended(0), 24, 'ffff00ffff00')],
    ['a reserved flag', 'undecodable', () => extended(0x01)],
    ['two pictures', 'undecodable', async () => extended(0, (await still()).subarray(12))],
    ['a frame in a still picture', 'undecodable', async () => extended(0, webpChunk('ANMF', Buffer.alloc(16)))],
    [
      'a chunk between alpha channel and picture',
      'undecodable',
      async () => {
        const [control, alpha, image] = chunksOf(await translucent())
        if (!control || !alpha || !image) throw new Error('no alpha channel')
        return webpFrom(...writeChunks([control, alpha, { type: 'NONE', data: Buffer.alloc(2) }, image]))
      },
    ],
    ['an alpha channel after its picture', 'undecodable', () => extended(0x10, webpChunk('ALPH', '\0'))],
    ['an animation without frames', 'undecodable', () => extended(0x02)],
    [
      'a picture outside of the frames',
      'undecodable',
      async () => webpFrom((await moving()).subarray(12), (await still()).subarray(12)),
    ],
    ['too much metadata', 'too-much-metadata', () => extended(0, webpChunk('XMP ', Buffer.alloc(MAX_METADATA)))],
    [
      'too large a profile',
      'too-much-metadata',
      () => extended(0x20, webpChunk('ICCP', Buffer.alloc(MAX_PROFILE + 1))),
    ],
  ])('%s: %s', async (_, outcome, make) => {
    expect(cleanWebp(await make())).toEqual({ outcome })
  })

  test('a file cut anywhere before its end', async () => {
    for (const bytes of [await still(), await moving(), await extended(0x08, webpChunk('EXIF', taintedTiff(6)))])
      for (let length = 0; length < bytes.length; length += 1)
        expect(cleanWebp(bytes.subarray(0, length))).toEqual({ outcome: 'undecodable' })
  })
})

describe('an animation', () => {
  const start = (bytes: Buffer, type: string) => bytes.indexOf(type) + 8

  test.each<readonly [string, string, (bytes: Buffer) => Buffer]>([
    ['that VP8X does not announce', 'undecodable', (bytes) => edit(bytes, 20, '00')],
    ['without its control', 'undecodable', (bytes) => edit(bytes, bytes.indexOf('ANIM'), '58')],
    ['with a frame beyond the right edge', 'undecodable', (bytes) => edit(bytes, start(bytes, 'ANMF'), '01')],
    ['with a frame beyond the bottom edge', 'undecodable', (bytes) => edit(bytes, start(bytes, 'ANMF') + 3, '01')],
    [
      'with a frame of another size than its bitstream',
      'undecodable',
      (bytes) => edit(bytes, start(bytes, 'ANMF') + 6, '12'),
    ],
    ['with a frame of another height', 'undecodable', (bytes) => edit(bytes, start(bytes, 'ANMF') + 9, '08')],
    ['with a frame that has no picture', 'undecodable', (bytes) => edit(bytes, start(bytes, 'ANMF') + 16, '58')],
    [
      'with another chunk before its picture',
      'undecodable',
      (bytes) => {
        const [canvas, control, frame] = chunksOf(bytes)
        if (!canvas || !control || !frame) throw new Error('no animation')
        const data = Buffer.concat([frame.data.subarray(0, 16), webpChunk('NONE', 'xx'), frame.data.subarray(16)])
        return webpFrom(...writeChunks([canvas, control, { type: 'ANMF', data }]))
      },
    ],
    ['with a chunk beyond its frame', 'undecodable', (bytes) => edit(bytes, start(bytes, 'ANMF') + 20, 'ffff')],
    [
      'whose frames have too many pixels together',
      'too-many-pixels',
      (bytes) => edit(bytes, start(bytes, 'VP8X') + 4, '0f2700' + '0f2700'),
    ],
  ])('%s: %s', async (_, outcome, spoil) => {
    expect(cleanWebp(spoil(await moving()))).toEqual({ outcome })
  })

  test('is accepted with as many frames as allowed, and refused with one more', async () => {
    const [canvas, control, frame] = chunksOf(await moving())
    if (!canvas || !control || !frame) throw new Error('no animation')
    const of = (frames: number) => {
      const list = Array.from({ length: frames }, () => frame)
      return webpFrom(...writeChunks([canvas, control, ...list]))
    }
    expect(cleaned(of(MAX_FRAMES)).header.frames).toBe(MAX_FRAMES)
    expect(cleanWebp(of(MAX_FRAMES + 1))).toEqual({ outcome: 'too-many-pixels' })
  })
})

test('never throws on damage, and accepts its own output', async () => {
  const sources = [await still(), taintedWebp(await still(), 6), taintedWebp(await moving())]
  const changes = fc.array(fc.tuple(fc.nat(20_000), fc.nat(255)), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(fc.constantFrom(...sources), changes, fc.boolean(), (source, list, isHead) => {
      const bytes = Buffer.from(source)
      for (const [offset, byte] of list) bytes[offset % (isHead ? 200 : bytes.length)] = byte
      const cleaning = cleanWebp(bytes)
      if (cleaning.outcome !== 'clean') return
      const clean = Buffer.concat(cleaning.parts)
      expect(cleaned(clean)).toMatchObject({ bytes: clean, removed: [] })
    }),
    { numRuns: 3_000 },
  )
})
