import { deflateSync, inflateSync } from 'node:zlib'
import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { flatPng, makePng, picture } from '#testing/images/pictures.ts'
import {
  apngChunks,
  type ChunkOf,
  headerData,
  noise,
  PNG_TAINT,
  pngChunks,
  pngKinds,
  taintPng,
  u32,
} from '#testing/images/tainted-png.ts'
import { sample, seed } from '#testing/sampled.ts'
import type { Cleaned } from '../cleaning.ts'
import { readApngFrames } from './apng.ts'
import { cleanPng } from './png.ts'

const pictures = fc.record({
  kind: fc.constantFrom(...pngKinds),
  width: fc.integer({ min: 1, max: 20 }),
  height: fc.integer({ min: 1, max: 20 }),
  interlaced: fc.boolean(),
  transparent: fc.boolean(),
  seed: fc.nat(10_000),
  chunkBytes: fc.integer({ min: 1, max: 300 }),
})

const moving = fc
  .tuple(pictures, fc.boolean(), fc.array(fc.nat(1_000), { minLength: 1, maxLength: 4 }))
  .map(([options, apart, seeds]) => {
    const frames = seeds.map((seed, index) => {
      if (index === 0 && !apart) return {}
      const width = 1 + (seed % options.width)
      const height = 1 + (seed % options.height)
      return { width, height, x: options.width - width, y: options.height - height, dispose: seed % 3, blend: seed % 2 }
    })
    return apngChunks(frames, { ...options, apart })
  })

test('keeps the pixels of every kind of PNG, and changes nothing when cleaning again', async () => {
  await fc.assert(
    fc.asyncProperty(pictures, async (options) => {
      const png = makePng(pngChunks(options))
      const once = await joinBytes(png)
      expect(once).toEqual(png)
      expect(await decoded(once)).toEqual(await decoded(png))
    }),
    { numRuns: sample(300, 60), seed },
  )
})

test('keeps only the picture, wherever private text is placed', async () => {
  await fc.assert(
    fc.asyncProperty(pictures, async (options) => {
      const chunks = pngChunks(options)
      const once = await joinBytes(taintPng(chunks))
      expect(once.includes(PNG_TAINT)).toBe(false)
      expect(await decoded(once)).toEqual(await decoded(makePng(chunks)))
      expect(await joinBytes(once)).toEqual(once)
    }),
    { numRuns: sample(100, 30), seed },
  )
  const { removed } = await cleaned(taintPng(pngChunks()))
  expect(removed).toEqual(['text', 'xmp', 'iptc', 'exif', 'profile-tags', 'other', 'trailer'])
})

test('keeps every frame of an animation, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(moving, async (chunks) => {
      const once = await joinBytes(makePng(chunks))
      expect(once).toEqual(makePng(chunks))
      expect(await decodedFrames(once)).toEqual(await decodedFrames(makePng(chunks)))
      const tainted = await joinBytes(taintPng(chunks))
      expect(tainted.includes(PNG_TAINT)).toBe(false)
      expect(await decodedFrames(tainted)).toEqual(await decodedFrames(once))
    }),
    { numRuns: sample(100, 30), seed },
  )
})

test('cuts a frame where its stream ends and renumbers the following ones', async () => {
  const chunks = apngChunks([{}, { seed: 2 }, { seed: 3 }], { chunkBytes: 10_000 })
  const dirty = chunks.flatMap((chunk): ChunkOf[] => {
    const isSecond = chunk[0] === 'fdAT' && chunk[1].readUInt32BE(0) === 2
    return isSecond
      ? [
          ['fdAT', Buffer.concat([chunk[1], Buffer.from(PNG_TAINT)])],
          ['tEXt', Buffer.from(PNG_TAINT)],
          ['fdAT', Buffer.from(`____${PNG_TAINT}`)],
        ]
      : [chunk]
  })
  const { removed } = await cleaned(makePng(renumbered(dirty)))
  expect(removed).toEqual(['text', 'trailer'])
  expect(await joinBytes(makePng(renumbered(dirty)))).toEqual(makePng(chunks))
})

test.each([1, 2, 3, 4, 5, 6, 7, 8] as const)('keeps orientation %i in one tag', async (orientation) => {
  const png = await picture({ format: 'png', width: 20, height: 10, orientation })
  const { header, removed } = await cleaned(png)
  expect(header).toEqual({ width: 20, height: 10, frames: 1, orientation })
  expect(removed).toContain('exif')
  expect(await decoded(await joinBytes(png))).toEqual(await decoded(png))
  expect((await sharp(await joinBytes(png)).metadata()).orientation).toBe(orientation === 1 ? undefined : orientation)
})

test('keeps a colour profile under a neutral name', async () => {
  const png = await sharp(await picture({ format: 'png', width: 20, height: 10 }))
    .withIccProfile('p3')
    .png()
    .toBuffer()
  const once = await joinBytes(png)
  expect(await decoded(once)).toEqual(await decoded(png))
  expect((await sharp(once).metadata()).icc).toBeDefined()
  expect(await joinBytes(once)).toEqual(once)
})

test('keeps a colour profile whose stream has a wrong checksum, as decoders do', async () => {
  const { icc = Buffer.alloc(0) } = await sharp(
    await sharp(await picture())
      .withIccProfile('p3')
      .toBuffer(),
  ).metadata()
  const data = Buffer.concat([Buffer.from('any\0\0'), deflateSync(icc)])
  const withProfile = (profile: Buffer) => makePng(insert(image, 1, ['iCCP', profile]))
  const wrong = Buffer.concat([data.subarray(0, -4), u32(1)])
  expect(await decoded(withProfile(wrong))).toEqual(await decoded(withProfile(data)))
  expect(await joinBytes(withProfile(wrong))).toEqual(await joinBytes(withProfile(data)))
  const cut = Buffer.concat([Buffer.from('any\0\0'), deflateSync(icc.subarray(0, -20))])
  expect(await decoded(withProfile(cut))).toEqual(await decoded(makePng(image)))
  expect(await joinBytes(withProfile(cut))).toEqual(makePng(image))
})

test('keeps the chunks that describe colour and size', async () => {
  const kept: ChunkOf[] = [
    ['gAMA', u32(45_455)],
    ['cHRM', noise(32, 1)],
    ['sRGB', Buffer.from([0])],
    ['cICP', Buffer.from([9, 16, 0, 1])],
    ['mDCV', noise(24, 1)],
    ['cLLI', noise(8, 1)],
    ['sBIT', Buffer.from([8, 8, 8])],
    ['pHYs', Buffer.concat([u32(2_835, 2_835), Buffer.from([1])])],
  ]
  const png = makePng(insert(pngChunks(), 1, ...kept))
  expect(await joinBytes(png)).toEqual(png)
  const doubled = makePng(insert(pngChunks(), 1, ...kept, ...kept))
  expect(await joinBytes(doubled)).toEqual(png)
})

test('is undecodable when cut anywhere', async () => {
  for (const chunks of [pngChunks({ width: 3, height: 3 }), apngChunks([{}, {}], { width: 2, height: 2 })]) {
    const png = makePng(chunks)
    for (let length = 0; length < png.length; length += 1) {
      expect(await cleanPng(png.subarray(0, length))).toEqual({ outcome: 'undecodable' })
    }
  }
})

const palette: ChunkOf = ['PLTE', noise(6, 1)]
const image = pngChunks({ width: 4, height: 4 })
const [ihdr, idat, iend] = image as [ChunkOf, ChunkOf, ChunkOf]
const paletted = pngChunks({ kind: [3, 1], width: 4, height: 4 }).filter(([type]) => type !== 'PLTE')
const raw = inflateSync(idat[1])
const animated = apngChunks([{}, {}], { width: 4, height: 4 })
const changed = (type: string, at: number, value: number, chunks = animated) =>
  chunks.map((chunk): ChunkOf => {
    if (chunk[0] !== type) return chunk
    const data = Buffer.from(chunk[1])
    data[at] = value
    return [type, data]
  })

const damaged: Record<string, readonly ChunkOf[]> = {
  'no chunk at all': [],
  'no header': [idat, iend],
  'a header after another chunk': [['tEXt', Buffer.alloc(3)], ihdr, idat, iend],
  'two headers': [ihdr, ihdr, idat, iend],
  'a short header': [['IHDR', ihdr[1].subarray(1)], idat, iend],
  'no width': changed('IHDR', 3, 0, image),
  'an invalid colour type': changed('IHDR', 9, 5, image),
  'an invalid bit depth': changed('IHDR', 8, 4, image),
  'another compression': changed('IHDR', 10, 1, image),
  'another filter method': changed('IHDR', 11, 64, image),
  'another interlacing': changed('IHDR', 12, 2, image),
  'no palette': paletted,
  'a palette after the data': [...paletted.slice(0, -1), palette, iend],
  'two palettes': insert(paletted, 1, palette, palette),
  'a palette longer than the depth': insert(paletted, 1, ['PLTE', noise(9, 1)]),
  'a palette of two colours and a half': insert(paletted, 1, ['PLTE', noise(5, 1)]),
  'an empty palette': insert(paletted, 1, ['PLTE', Buffer.alloc(0)]),
  'no data': [ihdr, iend],
  'empty data': [ihdr, ['IDAT', Buffer.alloc(0)], iend],
  'data in two runs': [
    ihdr,
    ['IDAT', idat[1].subarray(0, 5)],
    ['tEXt', Buffer.alloc(3)],
    ['IDAT', idat[1].subarray(5)],
    iend,
  ],
  'an unknown critical chunk': [ihdr, ['CRIT', Buffer.alloc(0)], idat, iend],
  'an invalid chunk type': [ihdr, ['te1t', Buffer.alloc(0)], idat, iend],
  'an end with data': [ihdr, idat, ['IEND', Buffer.alloc(1)]],
  'a stream cut short': [ihdr, ['IDAT', idat[1].subarray(0, -1)], iend],
  'a wrong checksum of the stream': [ihdr, ['IDAT', Buffer.concat([idat[1].subarray(0, -1), Buffer.from([1])])], iend],
  'too few rows': [ihdr, ['IDAT', deflateSync(raw.subarray(0, -1))], iend],
  'too many bytes': [ihdr, ['IDAT', deflateSync(Buffer.concat([raw, Buffer.alloc(1)]))], iend],
  'an invalid filter': [
    ihdr,
    ['IDAT', deflateSync(Buffer.concat([raw.subarray(0, 13), Buffer.from([5]), raw.subarray(14)]))],
    iend,
  ],
  'an animation without frames': changed('acTL', 3, 0),
  'more frames than controls': changed('acTL', 3, 3),
  'fewer frames than controls': changed('acTL', 3, 1),
  'a short animation control': insert(image, 1, ['acTL', u32(1)]),
  'two animation controls': insert(animated, 1, ['acTL', u32(2, 0)]),
  'a frame without data': [...animated.slice(0, 4), animated.at(4) ?? iend, iend],
  'data without a control': animated.filter(([type, data]) => type !== 'fcTL' || data.readUInt32BE(0) === 0),
  'a gap in the numbers': changed('fdAT', 3, 3),
  'data before the image': insert(animated, 3, ['fdAT', u32(1, 0)]),
  'two controls in a row': insert(animated, 3, ['fcTL', animated[2]?.[1] ?? Buffer.alloc(0)]),
  'a first frame smaller than the canvas': apngChunks([{ width: 3 }, {}], { width: 4, height: 4 }),
  'a frame outside of the canvas': apngChunks([{}, { x: 1 }], { width: 4, height: 4 }),
  'a frame without width': apngChunks([{}, { width: 0 }], { width: 4, height: 4 }),
  'an invalid disposal': apngChunks([{}, { dispose: 3 }], { width: 4, height: 4 }),
  'an invalid blend operation': apngChunks([{}, { blend: 2 }], { width: 4, height: 4 }),
  'a frame of another size than its data': changed('fcTL', 7, 3).map((chunk, index) =>
    index === 2 ? (animated[2] ?? chunk) : chunk,
  ),
}

test.each(Object.entries(damaged))('undecodable: %s', async (_, chunks) => {
  expect(await cleanPng(makePng(chunks))).toEqual({ outcome: 'undecodable' })
})

test('is undecodable with a wrong checksum in any chunk, or a length beyond the file', async () => {
  const png = makePng(insert(image, 1, ['tEXt', Buffer.from('Comment\0text')]))
  for (let at = 0; at < png.length; at += 1) {
    const flipped = Buffer.from(png)
    flipped.writeUInt8(flipped.readUInt8(at) ^ 0x10, at)
    expect(await cleanPng(flipped)).toEqual({ outcome: 'undecodable' })
  }
})

const still: Record<string, readonly ChunkOf[]> = {
  'frames without an animation control': animated.filter(([type]) => type !== 'acTL'),
  'an animation control after the image': [ihdr, idat, ['acTL', u32(1, 0)], iend],
  'a suggested palette': insert(image, 1, palette),
  'a transparency of the wrong length': insert(image, 1, ['tRNS', Buffer.alloc(5)]),
  'an orientation after the image': [
    ihdr,
    idat,
    ['eXIf', Buffer.from('4d4d002a0000000800010112000300000001000600000000', 'hex')],
    iend,
  ],
}

test.each(Object.entries(still))('leaves out %s', async (_, chunks) => {
  expect(await joinBytes(makePng(chunks))).toEqual(makePng(image))
})

describe('enforces the caps:', () => {
  const bomb = (profile: Buffer): readonly ChunkOf[] =>
    insert(image, 1, ['iCCP', Buffer.concat([Buffer.from('icc\0\0'), deflateSync(profile)])])
  test.each<[string, Buffer, string]>([
    ['pixels', makePng([['IHDR', headerData({ width: 10_001, height: 10_000 })], idat, iend]), 'too-many-pixels'],
    ['frames', makePng(changed('acTL', 2, 4)), 'too-many-pixels'],
    [
      'pixels of all frames',
      makePng([
        ['IHDR', headerData({ width: 5_000, height: 5_000 })],
        ['acTL', u32(11, 0)],
      ]),
      'too-many-pixels',
    ],
    ['text', makePng(insert(image, 1, ['tEXt', Buffer.alloc(8 * 1024 * 1024)])), 'too-much-metadata'],
    ['a packed profile', makePng(bomb(Buffer.alloc(4 * 1024 * 1024 + 1))), 'too-much-metadata'],
  ])('%s', async (_, bytes, outcome) => {
    expect(await cleanPng(bytes)).toEqual({ outcome })
  })

  test('counts data in chunks of one byte as metadata', async () => {
    const tiny = makePng([['IDAT', Buffer.alloc(1)]]).subarray(8)
    const file = Buffer.concat([makePng([ihdr]), ...Array.from({ length: 700_000 }, () => tiny)])
    expect(await cleanPng(file)).toEqual({ outcome: 'too-much-metadata' })
  })

  test('accepts as many pixels as allowed', async () => {
    expect((await cleaned(flatPng(10_000, 10_000))).header.width).toBe(10_000)
  })
})

test('never throws, whatever is modified', async () => {
  const sources = [
    makePng(image),
    makePng(animated),
    taintPng(image),
    makePng(pngChunks({ kind: [3, 4], interlaced: true })),
  ]
  const change = fc.tuple(fc.nat(), fc.nat(255))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...sources),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      async (source, changes, mends) => {
        const bytes = Buffer.from(source)
        for (const [at, value] of changes) bytes[at % bytes.length] = value
        const cleaning = await cleanPng(mends ? withChecksums(bytes) : bytes)
        if (cleaning.outcome !== 'clean') return
        const once = Buffer.concat(cleaning.parts)
        expect(await joinBytes(once)).toEqual(once)
      },
    ),
    { numRuns: sample(10_000, 2_000), seed },
  )
})

/** Fixes the checksums, as far as chunks are valid, so that their contents are checked. */
function withChecksums(bytes: Buffer): Buffer {
  const chunks: ChunkOf[] = []
  let at = 8
  while (at + 12 <= bytes.length) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) break
    chunks.push([bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, end - 4)])
    at = end
  }
  return Buffer.concat([bytes.subarray(0, 8), makePng(chunks).subarray(8), bytes.subarray(at)])
}

function insert(chunks: readonly ChunkOf[], at: number, ...more: readonly ChunkOf[]): ChunkOf[] {
  return [...chunks.slice(0, at), ...more, ...chunks.slice(at)]
}

function renumbered(chunks: readonly ChunkOf[]): ChunkOf[] {
  let sequence = 0
  return chunks.map(([type, data]) =>
    type === 'fcTL' || type === 'fdAT' ? [type, Buffer.concat([u32(sequence++), data.subarray(4)])] : [type, data],
  )
}

async function cleaned(bytes: Buffer): Promise<Cleaned> {
  const cleaning = await cleanPng(bytes)
  if (cleaning.outcome !== 'clean') throw new Error(cleaning.outcome)
  return cleaning
}

const joinBytes = async (bytes: Buffer) => Buffer.concat((await cleaned(bytes)).parts)

/** Every bit of the pixels, as displayed. */
const decoded = (bytes: Buffer) =>
  sharp(bytes).autoOrient().toColourspace('rgb16').raw({ depth: 'ushort' }).toBuffer({ resolveWithObject: true })

const decodedFrames = (bytes: Buffer) => Promise.all(readApngFrames(bytes).frames.map(({ png }) => decoded(png)))
