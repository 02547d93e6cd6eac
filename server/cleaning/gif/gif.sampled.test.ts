import fc from 'fast-check'
import sharp, { type FailOnOptions } from 'sharp'
import { expect, test } from 'vitest'
import { animation, manyFramesGif, picture } from '#testing/images/pictures.ts'
import { extension, makeGif } from '#testing/images/tainted-gif.ts'
import { PNG_TAINT } from '#testing/images/tainted-png.ts'
import { sample, seed } from '#testing/sampled.ts'
import type { Cleaned } from '../cleaning.ts'
import { cleanGif } from './gif.ts'

const gifs = fc.record({
  frames: fc.array(
    fc.record({
      x: fc.nat(6),
      y: fc.nat(6),
      width: fc.integer({ min: 1, max: 30 }),
      height: fc.integer({ min: 1, max: 30 }),
      interlaced: fc.boolean(),
      local: fc.boolean(),
      disposal: fc.nat(3),
      delay: fc.nat(65_535),
      transparent: fc.option(fc.nat(3)),
      seed: fc.nat(10_000),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  options: fc.record({
    width: fc.integer({ min: 1, max: 24 }),
    height: fc.integer({ min: 1, max: 24 }),
    depth: fc.integer({ min: 1, max: 8 }),
    loop: fc.option(fc.nat(65_535)),
  }),
})

test('keeps the pixels, times and loop of every kind of GIF, and changes nothing when cleaning again', async () => {
  await fc.assert(
    fc.asyncProperty(gifs, async ({ frames, options }) => {
      const gif = makeGif(frames, options)
      const once = joinBytes(gif)
      expect(await decoded(once)).toEqual(await decoded(gif))
      expect(joinBytes(once)).toEqual(once)
      const { header, removed } = cleaned(gif)
      const { width, height, pageHeight, pages = 1 } = await sharp(gif, { animated: true }).metadata()
      expect(header).toEqual({ width, height: pageHeight ?? height, frames: pages, orientation: 1 })
      expect(removed).toEqual([])
    }),
    { numRuns: sample(300, 60), seed },
  )
})

test('keeps only the picture, wherever private text is placed', async () => {
  await fc.assert(
    fc.asyncProperty(gifs, async ({ frames, options }) => {
      const gif = makeGif(frames, { ...options, tainted: true })
      const once = joinBytes(gif)
      expect(once.includes(PNG_TAINT)).toBe(false)
      expect(once).toEqual(joinBytes(makeGif(frames, options)))
      // libvips skips an extension before the trailer unless told to fail.
      expect(await decoded(once)).toEqual(await decoded(gif, 'none'))
    }),
    { numRuns: sample(100, 30), seed },
  )
  const { removed } = cleaned(makeGif([{}], { tainted: true }))
  expect(removed).toEqual(['comment', 'text', 'xmp', 'other', 'profile-tags', 'trailer'])
})

test('accepts tables filled more than once, with and without clear codes', async () => {
  for (const deferred of [true, false]) {
    const gif = makeGif([{ interlaced: true }, { local: true }], { width: 200, height: 150, depth: 6, deferred })
    expect(await decoded(joinBytes(gif))).toEqual(await decoded(gif))
    expect(joinBytes(joinBytes(gif))).toEqual(joinBytes(gif))
  }
})

test('adds a missing end code, without which libnsgif, unlike others, may lose the last pixels', () => {
  const frames = [{}, { local: true, interlaced: true }]
  expect(joinBytes(makeGif(frames, { endless: true }))).toEqual(joinBytes(makeGif(frames)))
})

test('accepts files of an encoder', async () => {
  for (const gif of [await picture({ format: 'gif', width: 60, height: 40 }), await animation('gif')]) {
    expect(await decoded(joinBytes(gif))).toEqual(await decoded(gif))
    expect(joinBytes(joinBytes(gif))).toEqual(joinBytes(gif))
  }
})

test('merges two controls before one image into one, as decoders do', async () => {
  const [first, second] = [Buffer.from([0b0000_1001, 5, 0, 3]), Buffer.from([0b0000_1000, 9, 0, 1])]
  const gif = makeGif([{}, {}])
  const at = gif.indexOf(extension(0xf9, Buffer.from([0, 8, 0, 0])))
  const doubled = Buffer.concat([
    gif.subarray(0, at),
    extension(0xf9, first),
    extension(0x01, Buffer.alloc(12)),
    extension(0xf9, second),
    gif.subarray(at + 8),
  ])
  expect(await decoded(joinBytes(doubled))).toEqual(await decoded(doubled))
  expect(joinBytes(doubled).includes(extension(0xf9, Buffer.from([0b0000_1001, 9, 0, 3])))).toBe(true)
})

test('zeroes the parts of controls, loops and images that no decoder reads', () => {
  const control = extension(0xf9, Buffer.from([0b1110_0100, 8, 0, 77]))
  const plain = makeGif([{ disposal: 1 }], { loop: 3 })
  const dirty = Buffer.from(plain)
  control.copy(dirty, dirty.indexOf(Buffer.from([0x21, 0xf9])))
  const flags = dirty.lastIndexOf(Buffer.from([0x2c, 0, 0, 0, 0, 8, 0, 8, 0])) + 9
  dirty[flags] = 0b0001_1000
  expect(joinBytes(dirty)).toEqual(joinBytes(plain))
})

test('uses the last of several loops', async () => {
  const gif = makeGif([{}, {}], { loop: null })
  const head = 13 + 48
  const loops = [
    extension(0xff, 'NETSCAPE2.0', Buffer.from([1, 5, 0])),
    extension(0xff, 'ANIMEXTS1.0', Buffer.from([1, 7, 0])),
  ]
  const looped = Buffer.concat([gif.subarray(0, head), ...loops, gif.subarray(head)])
  expect(await decoded(joinBytes(looped))).toEqual(await decoded(looped))
  expect((await sharp(joinBytes(looped), { animated: true }).metadata()).loop).toBe(8)
})

test('keeps a colour profile', async () => {
  const { icc = Buffer.alloc(0) } = await sharp(
    await sharp(await picture())
      .withIccProfile('p3')
      .toBuffer(),
  ).metadata()
  const blocks = Array.from({ length: Math.ceil(icc.length / 200) }, (_, index) =>
    icc.subarray(index * 200, (index + 1) * 200),
  )
  const gif = makeGif([{}], { loop: null })
  const tagged = Buffer.concat([gif.subarray(0, 61), extension(0xff, 'ICCRGBG1012', ...blocks), gif.subarray(61)])
  const once = joinBytes(tagged)
  expect(once.includes('ICCRGBG1012')).toBe(true)
  expect(joinBytes(once)).toEqual(once)
  expect(await decoded(once)).toEqual(await decoded(gif))
})

test('is undecodable when cut anywhere', () => {
  const gif = makeGif([{ local: true }, {}], { tainted: false })
  for (let length = 0; length < gif.length; length += 1) {
    expect(cleanGif(gif.subarray(0, length))).toEqual({ outcome: 'undecodable' })
  }
})

const whole = makeGif([{}], { loop: null })
const imageAt = whole.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 8, 0, 8, 0]))
const changedAt = (at: number, value: number) => {
  const bytes = Buffer.from(whole)
  bytes[at] = value
  return bytes
}

test.each<[string, Buffer]>([
  ['another version', changedAt(4, 0x38)],
  ['no image', Buffer.concat([whole.subarray(0, 61), Buffer.from([0x3b])])],
  ['an unknown block', changedAt(imageAt, 0)],
  ['no width', changedAt(imageAt + 5, 0)],
  ['no height', changedAt(imageAt + 7, 0)],
  ['more pixels than there are', changedAt(imageAt + 5, 9)],
  ['a code size of 0', changedAt(imageAt + 10, 0)],
  ['a code size of 9', changedAt(imageAt + 10, 9)],
  [
    'a control of another length',
    Buffer.concat([whole.subarray(0, 61), extension(0xf9, Buffer.alloc(3)), whole.subarray(61)]),
  ],
])('undecodable: %s', (_, bytes) => {
  expect(cleanGif(bytes)).toEqual({ outcome: 'undecodable' })
})

test('enforces the caps', () => {
  const screen = (width: number, height: number, gif: Buffer) => {
    const bytes = Buffer.from(gif)
    bytes.writeUInt16LE(width, 6)
    bytes.writeUInt16LE(height, 8)
    return bytes
  }
  const comments = Array.from({ length: 33_000 }, () => extension(0xfe, Buffer.alloc(255)))
  expect(cleaned(manyFramesGif(1_000)).header.frames).toBe(1_000)
  expect(cleanGif(manyFramesGif(1_001))).toEqual({ outcome: 'too-many-pixels' })
  expect(cleanGif(screen(10_001, 10_000, whole))).toEqual({ outcome: 'too-many-pixels' })
  expect(cleaned(screen(10_000, 10_000, whole)).header.width).toBe(8)
  expect(cleanGif(screen(1_000, 1_000, manyFramesGif(251)))).toEqual({ outcome: 'too-many-pixels' })
  expect(cleanGif(Buffer.concat([whole.subarray(0, 61), ...comments, whole.subarray(61)]))).toEqual({
    outcome: 'too-much-metadata',
  })
})

test('never throws, whatever is modified', () => {
  const sources = [
    whole,
    makeGif([{ local: true }, { interlaced: true }], { tainted: true }),
    makeGif([{}, {}], { depth: 8 }),
  ]
  const change = fc.tuple(fc.nat(), fc.nat(255))
  fc.assert(
    fc.property(fc.constantFrom(...sources), fc.array(change, { minLength: 1, maxLength: 4 }), (source, changes) => {
      const bytes = Buffer.from(source)
      for (const [at, value] of changes) bytes[at % bytes.length] = value
      const cleaning = cleanGif(bytes)
      if (cleaning.outcome !== 'clean') return
      const once = Buffer.concat(cleaning.parts)
      expect(joinBytes(once).equals(once)).toBe(true)
    }),
    { numRuns: sample(20_000, 4_000), seed },
  )
})

function cleaned(bytes: Buffer): Cleaned {
  const cleaning = cleanGif(bytes)
  if (cleaning.outcome !== 'clean') throw new Error(cleaning.outcome)
  return cleaning
}

const joinBytes = (bytes: Buffer) => Buffer.concat(cleaned(bytes).parts)

/** Returns every pixel of every frame, and the frame times. */
async function decoded(bytes: Buffer, failOn: FailOnOptions = 'warning') {
  const image = sharp(bytes, { animated: true, failOn })
  const { delay, loop, pages } = await image.metadata()
  return { delay, loop, pages, ...(await image.raw().toBuffer({ resolveWithObject: true })) }
}
