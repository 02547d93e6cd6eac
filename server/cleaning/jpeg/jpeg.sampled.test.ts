import fc from 'fast-check'
import sharp, { type JpegOptions } from 'sharp'
import { describe, expect, test } from 'vitest'
import { picture } from '#testing/images/pictures.ts'
import { isTainted, jpegSegment, TAINT, taintedJpeg, taintedProfile, taintedTiff } from '#testing/images/tainted.ts'
import { sample, seed } from '#testing/sampled.ts'
import { MAX_METADATA, MAX_PROFILE } from '../caps.ts'
import type { Cleaned, Orientation } from '../cleaning.ts'
import { cleanProfile } from '../icc.ts'
import { orientationTiff } from '../orientation.ts'
import { cleanJpeg } from './jpeg.ts'
import { profileSegments } from './jpeg-applications.ts'

const orientations = [1, 2, 3, 4, 5, 6, 7, 8] as const

interface Shape {
  readonly width: number
  readonly height: number
  readonly seed: number
  readonly space: 'srgb' | 'b-w' | 'cmyk'
  readonly profile: 'none' | 'srgb' | 'p3'
  readonly options: JpegOptions
}

const shapes: fc.Arbitrary<Shape> = fc.record({
  width: fc.integer({ min: 1, max: 70 }),
  height: fc.integer({ min: 1, max: 70 }),
  seed: fc.integer({ min: 1, max: 1_000 }),
  space: fc.constantFrom('srgb', 'srgb', 'b-w', 'cmyk'),
  profile: fc.constantFrom('none', 'srgb', 'p3'),
  options: fc.record({
    quality: fc.constantFrom(1, 40, 85, 100),
    chromaSubsampling: fc.constantFrom('4:2:0', '4:4:4'),
    progressive: fc.boolean(),
    optimiseCoding: fc.boolean(),
    trellisQuantisation: fc.boolean(),
    optimiseScans: fc.boolean(),
  }),
})

async function makeJpeg({ space, profile, options, ...size }: Shape): Promise<Buffer> {
  const image = sharp(await picture({ ...size, format: 'png' })).toColourspace(space)
  const embeds = profile !== 'none' && space === 'srgb'
  return (embeds ? image.withIccProfile(profile) : image).jpeg(options).toBuffer()
}

/** Decodes all of it, without a warning. */
const decode = async (bytes: Buffer) => {
  const { data, info } = await sharp(bytes, { failOn: 'warning' })
    .autoOrient()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, info }
}

/** Decodes leniently, like decoders that skip errors. */
const decodeLeniently = (bytes: Buffer) => sharp(bytes, { failOn: 'none' }).autoOrient().raw().toBuffer()

function cleaned(bytes: Buffer): Cleaned & { readonly bytes: Buffer } {
  const cleaning = cleanJpeg(bytes)
  if (cleaning.outcome !== 'clean') throw new Error(cleaning.outcome)
  return { ...cleaning, bytes: Buffer.concat(cleaning.parts) }
}

const whole = (): Promise<Buffer> => picture({ width: 61, height: 43 })
const at = (bytes: Buffer, hex: string): number => bytes.indexOf(Buffer.from(hex, 'hex'))
const insert = (bytes: Buffer, offset: number, ...added: readonly Buffer[]): Buffer =>
  Buffer.concat([bytes.subarray(0, offset), ...added, bytes.subarray(offset)])

function edit(bytes: Buffer, offset: number, hex: string): Buffer {
  const copy = Buffer.from(bytes)
  copy.write(hex, offset, 'hex')
  return copy
}

test('keeps the pixels of a tainted photograph but nothing of the taint, in any encoding, and changes nothing when cleaning again', async () => {
  await fc.assert(
    fc.asyncProperty(shapes, fc.constantFrom(...orientations), async (shape, orientation) => {
      const tainted = taintedJpeg(await makeJpeg(shape), orientation)
      const { bytes, header } = cleaned(tainted)
      expect(isTainted(bytes)).toBe(false)
      expect(await decode(bytes)).toEqual(await decode(await oriented(shape, orientation)))
      expect((await decode(bytes)).data).toEqual(await decodeLeniently(tainted))
      expect(header).toEqual({ width: shape.width, height: shape.height, frames: 1, orientation })
      expect(cleaned(bytes)).toMatchObject({ removed: [], bytes })
    }),
    { numRuns: sample(150, 20), seed },
  )
})

/** The same picture without the taint. */
async function oriented(shape: Shape, orientation: Orientation): Promise<Buffer> {
  const exif = jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), orientationTiff(orientation)]))
  return insert(await makeJpeg(shape), 2, exif)
}

test('leaves a clean photograph unchanged, byte for byte', async () => {
  const bytes = await whole()
  expect(cleaned(bytes)).toMatchObject({ bytes, removed: [] })
})

test('reports everything it removes', async () => {
  const { removed } = cleaned(taintedJpeg(await whole()))
  expect(removed.toSorted()).toEqual(['comment', 'exif', 'iptc', 'other', 'preview', 'trailer', 'xmp'])
})

describe('the orientation', () => {
  const exif = (orientation: Orientation) => jpegSegment(0xe1, `Exif\0\0${taintedTiff(orientation).toString('latin1')}`)

  test.each(orientations)('%i is kept in one tag, or in none', async (orientation) => {
    const bytes = await whole()
    const clean = cleaned(insert(bytes, 2, exif(orientation)))
    expect(clean.header.orientation).toBe(orientation)
    expect(clean.bytes.length).toBe(bytes.length + (orientation === 1 ? 0 : 4 + 6 + 26))
  })

  test('comes from the first of several tags', async () => {
    const tagged = insert(await whole(), 2, exif(6), exif(3))
    expect(cleaned(tagged).header.orientation).toBe(6)
    expect(await decode(cleaned(tagged).bytes)).toEqual(await decode(tagged))
  })

  test('is ignored after the frame’s first scan', async () => {
    const bytes = await whole()
    const tagged = insert(bytes, bytes.length - 2, exif(6))
    expect(cleaned(tagged)).toMatchObject({ bytes, header: { orientation: 1 }, removed: ['exif'] })
    expect(await decode(tagged)).toEqual(await decode(bytes))
  })
})

describe('the colour profile', () => {
  const profiled = async () => {
    const bytes = await sharp(await whole())
      .withIccProfile('p3')
      .jpeg()
      .toBuffer()
    const { icc = Buffer.alloc(0) } = await sharp(bytes).metadata()
    const length = icc.length + 18
    const start = at(bytes, 'ffe2')
    return { icc, bytes, without: Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + length)]) }
  }

  test('is joined from chunks in any order', async () => {
    const { icc, bytes, without } = await profiled()
    const halves = [icc.subarray(200), icc.subarray(0, 200)].map((part, index) =>
      jpegSegment(0xe2, Buffer.concat([Buffer.from(`ICC_PROFILE\0`), Buffer.from([2 - index, 2]), part])),
    )
    const clean = cleaned(insert(without, 2, ...halves))
    expect(clean.bytes).toEqual(cleaned(bytes).bytes)
    expect(clean.removed).toEqual(['profile-tags'])
  })

  test('loses what does not affect colour', async () => {
    const { icc, bytes, without } = await profiled()
    const tainted = insert(without, 2, ...profileSegments(taintedProfile(icc)))
    const clean = cleaned(tainted)
    expect(clean.removed).toEqual(['profile-tags'])
    expect(isTainted(clean.bytes)).toBe(false)
    expect(clean.bytes.includes(cleanProfile(taintedProfile(icc)).profile ?? 'none')).toBe(true)
    expect(await decode(clean.bytes)).toEqual(await decode(bytes))
  })

  test('is left out when it is not valid', async () => {
    const bytes = await whole()
    const clean = cleaned(insert(bytes, 2, ...profileSegments(Buffer.from(TAINT.repeat(100)))))
    expect(clean).toMatchObject({ bytes, removed: ['profile-tags'] })
  })

  test('makes the file refused when it exceeds its cap', async () => {
    const bytes = insert(await whole(), 2, ...profileSegments(Buffer.alloc(MAX_PROFILE + 1)))
    expect(cleanJpeg(bytes)).toEqual({ outcome: 'too-much-metadata' })
  })
})

describe('repairs what decoders skip:', () => {
  const scan = (bytes: Buffer) => at(bytes, 'ffda')

  test.each<readonly [string, (bytes: Buffer) => Buffer]>([
    ['junk before a marker', (bytes) => insert(bytes, scan(bytes), Buffer.from(TAINT))],
    ['a stuffed byte before a marker', (bytes) => insert(bytes, scan(bytes), Buffer.from('ff00ff00', 'hex'))],
    ['fill bytes', (bytes) => insert(bytes, scan(bytes), Buffer.from('ffffff', 'hex'))],
    ['markers without parameters', (bytes) => insert(bytes, scan(bytes), Buffer.from('ff01ffd3', 'hex'))],
    ['DNL in the header', (bytes) => insert(bytes, scan(bytes), Buffer.from('ffdc0004002b', 'hex'))],
    ['zeros for a baseline scan’s parameters', (bytes) => edit(bytes, scan(bytes) + 11, '000000')],
    ['junk after the last block', (bytes) => insert(bytes, bytes.length - 2, Buffer.from(TAINT.repeat(100)))],
    [
      'restart markers after the last block',
      (bytes) => insert(bytes, bytes.length - 2, Buffer.from(`ffd0${'54'.repeat(99)}`, 'hex')),
    ],
    ['fill bytes before the end', (bytes) => insert(bytes, bytes.length - 2, Buffer.from('ffff', 'hex'))],
    ['tables after the last scan', (bytes) => insert(bytes, bytes.length - 2, jpegSegment(0xc4, TAINT))],
  ])('%s', async (_, spoil) => {
    const bytes = await whole()
    expect(cleaned(spoil(bytes)).bytes).toEqual(bytes)
    expect(await decodeLeniently(spoil(bytes))).toEqual(await decodeLeniently(bytes))
  })

  test.each([
    ['another major version', '0700' + '0100480048' + '0000', '0101' + '0100480048' + '0000'],
    ['an unknown unit', '0102' + '0900480048' + '0000', '0102' + '0000010001' + '0000'],
    ['no density', '0102' + '0100000048' + '0000', '0102' + '0000010001' + '0000'],
    ['a thumbnail', '0102' + '0100480048' + '0101' + '5441494e54', '0102' + '0100480048' + '0000'],
  ])('JFIF of %s', async (_, written, expected) => {
    const bytes = await whole()
    const jfif = (hex: string) => insert(bytes, 2, jpegSegment(0xe0, Buffer.from(`4a46494600${hex}`, 'hex')))
    expect(cleaned(jfif(written)).bytes).toEqual(jfif(expected))
    expect(await decodeLeniently(jfif(written))).toEqual(await decodeLeniently(jfif(expected)))
  })

  test('a JFIF segment that is too short', async () => {
    const bytes = await whole()
    expect(cleaned(insert(bytes, 2, jpegSegment(0xe0, 'JFIF\0\x01\x01'))).bytes).toEqual(bytes)
  })

  test.each([
    ['cmyk', 2],
    ['srgb', 1],
  ] as const)('an unknown transform in Adobe’s segment, in %s', async (space, transform) => {
    const bytes = await sharp(await whole())
      .toColourspace(space)
      .jpeg()
      .toBuffer()
    const segment = (code: number) => jpegSegment(0xee, `Adobe\0\x64\0\0\0\0${String.fromCharCode(code)}`)
    const start = at(bytes, 'ffee')
    const without = start < 0 ? bytes : Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + 16)])
    const unknown = insert(without, 2, segment(9))
    expect(cleaned(unknown).bytes).toEqual(insert(without, 2, segment(transform)))
    expect((await decode(cleaned(unknown).bytes)).data).toEqual(await decodeLeniently(unknown))
  })

  test('the contents of Adobe’s segment other than its transform', async () => {
    const bytes = await sharp(await whole())
      .toColourspace('cmyk')
      .jpeg()
      .toBuffer()
    const start = at(bytes, 'ffee')
    const transform = bytes[start + 15] ?? 0
    const longer = jpegSegment(0xee, `Adobe\0\x65\xff\xff\xff\xff${String.fromCharCode(transform)}${TAINT}`)
    const tainted = Buffer.concat([bytes.subarray(0, start), longer, bytes.subarray(start + 16)])
    const clean = cleaned(tainted)
    expect(clean.bytes).toEqual(cleaned(bytes).bytes)
    expect(await decode(clean.bytes)).toEqual(await decode(tainted))
  })
})

describe('restart markers', () => {
  /** The blocks are those of one flat picture: each interval of `interval` units is the same, padded with ones. */
  test.each([
    [1, 64, 64],
    [3, 64, 64],
    [16, 64, 64],
    [100, 64, 64],
    [5, 57, 33],
  ])('drops what follows the last interval: every %i units, in %i × %i', async (interval, width, height) => {
    const bytes = withRestarts(await flat(width, height), interval)
    expect(await decode(bytes)).toMatchObject({ info: { width, height } })
    expect(cleaned(bytes)).toMatchObject({ bytes, removed: [] })
    for (const junk of ['54'.repeat(50), `ffd0${'54'.repeat(50)}`, `${'54'.repeat(50)}ffd7`]) {
      const longer = insert(bytes, bytes.length - 2, Buffer.from(junk, 'hex'))
      expect(cleaned(longer)).toMatchObject({ bytes, removed: ['trailer'] })
    }
    expect(cleanJpeg(edit(bytes, at(bytes, 'ffdd') + 4, '0001')).outcome).toBe(interval === 1 ? 'clean' : 'undecodable')
  })

  /** Grey with one component, whose units are equal except for the first one’s level; a level of 128 needs no code. */
  const flat = (width: number, height: number): Promise<Buffer> =>
    sharp({ create: { width, height, channels: 3, background: { r: 128, g: 128, b: 128 } } })
      .toColourspace('b-w')
      .jpeg({ optimiseCoding: false })
      .toBuffer()

  function withRestarts(bytes: Buffer, interval: number): Buffer {
    const scan = at(bytes, 'ffda')
    const frame = at(bytes, 'ffc0')
    const [height, width] = [bytes.readUInt16BE(frame + 5), bytes.readUInt16BE(frame + 7)]
    const units = Math.ceil(width / 8) * Math.ceil(height / 8)
    // The standard tables: DC difference 0 is 00, end of block 1010.
    const intervals = Array.from({ length: Math.ceil(units / interval) }, (_, index) => {
      const bits = '001010'.repeat(Math.min(interval, units - index * interval))
      const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1')
      const data = Buffer.from(padded.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
      return index === 0 ? data : Buffer.concat([Buffer.from([0xff, 0xd0 + ((index - 1) & 7)]), data])
    })
    const restart = Buffer.from([0xff, 0xdd, 0, 4, interval >> 8, interval & 255])
    const head = insert(bytes.subarray(0, scan + 10), scan, restart)
    return Buffer.concat([head, ...intervals, Buffer.from('ffd9', 'hex')])
  }
})

describe('keeps only the tables that a scan uses', () => {
  const table = (number: number) => Buffer.concat([Buffer.from([number]), Buffer.alloc(64, TAINT)])
  const symbols = (id: number) =>
    Buffer.concat([Buffer.from([id]), Buffer.alloc(15), Buffer.from([200]), Buffer.alloc(200, TAINT)])

  test.each<readonly [string, Buffer]>([
    ['an unused quantisation table', jpegSegment(0xdb, table(3))],
    ['a quantisation table replaced again and again', jpegSegment(0xdb, Buffer.concat(Array(500).fill(table(0))))],
    ['an unused code table', jpegSegment(0xc4, symbols(0x13))],
    ['a replaced code table', jpegSegment(0xc4, symbols(0))],
    ['conditions of arithmetic coding', jpegSegment(0xcc, TAINT)],
    ['a replaced restart interval', Buffer.concat([jpegSegment(0xdd, 'Ta'), jpegSegment(0xdd, '\0\0')])],
  ])('%s', async (_, segment) => {
    const bytes = await whole()
    for (const image of [bytes, await sharp(bytes).jpeg({ progressive: true }).toBuffer()]) {
      const clean = cleaned(insert(image, 2, segment))
      expect(isTainted(clean.bytes)).toBe(false)
      expect(clean.removed).toEqual(['other'])
      expect(await decode(clean.bytes)).toEqual(await decode(image))
      expect(cleaned(clean.bytes)).toMatchObject({ bytes: clean.bytes, removed: [] })
    }
  })

  test('drops an unused one of several in a segment', async () => {
    const bytes = await whole()
    const start = at(bytes, 'ffdb')
    const end = start + 2 + bytes.readUInt16BE(start + 2)
    const doubled = jpegSegment(0xdb, Buffer.concat([table(2), bytes.subarray(start + 4, end), table(3)]))
    const clean = cleaned(Buffer.concat([bytes.subarray(0, start), doubled, bytes.subarray(end)]))
    expect(clean).toMatchObject({ bytes, removed: ['other'] })
  })

  test('fixes quantisation by a component’s first scan', async () => {
    const bytes = await sharp(await whole())
      .jpeg({ progressive: true })
      .toBuffer()
    const lastScan = bytes.lastIndexOf(Buffer.from('ffda', 'hex'))
    const clean = cleaned(insert(bytes, lastScan, jpegSegment(0xdb, table(0))))
    expect(clean).toMatchObject({ bytes, removed: ['other'] })
  })
})

describe('refuses', () => {
  const frame = (bytes: Buffer) => at(bytes, 'ffc0')

  test.each<readonly [string, string, (bytes: Buffer) => Buffer]>([
    ['a file that does not start with SOI', 'undecodable', (bytes) => bytes.subarray(1)],
    ['a second SOI', 'undecodable', (bytes) => insert(bytes, 2, bytes.subarray(0, 2))],
    ['a reserved marker', 'undecodable', (bytes) => insert(bytes, 2, jpegSegment(0x02, 'xx'))],
    ['an extension marker', 'undecodable', (bytes) => insert(bytes, 2, jpegSegment(0xf0, 'xx'))],
    ['a segment shorter than its length', 'undecodable', (bytes) => insert(bytes, 2, Buffer.from('ffe10001', 'hex'))],
    ['a segment that exceeds the file', 'undecodable', (bytes) => edit(bytes, 4, 'ffff')],
    ['no frame', 'undecodable', (bytes) => edit(bytes, frame(bytes), 'ffe5')],
    ['no scan', 'undecodable', (bytes) => Buffer.concat([bytes.subarray(0, at(bytes, 'ffda')), bytes.subarray(-2)])],
    [
      'two frames',
      'undecodable',
      (bytes) => insert(bytes, frame(bytes), bytes.subarray(frame(bytes), frame(bytes) + 19)),
    ],
    ['a frame after its scan', 'undecodable', (bytes) => behindScan(bytes, frame(bytes))],
    ['a frame without width', 'undecodable', (bytes) => edit(bytes, frame(bytes) + 7, '0000')],
    ['a frame with a wrong number of components', 'undecodable', (bytes) => edit(bytes, frame(bytes) + 9, '04')],
    ['a frame without components', 'undecodable', (bytes) => edit(bytes, frame(bytes) + 9, '00')],
    ['a component without sampling', 'undecodable', (bytes) => edit(bytes, frame(bytes) + 11, '00')],
    ['a frame too short for its header', 'undecodable', (bytes) => insert(bytes, 2, jpegSegment(0xc0, 'xx'))],
    ['a scan of unknown components', 'undecodable', (bytes) => edit(bytes, at(bytes, 'ffda') + 5, '77')],
    ['a scan of unknown tables', 'undecodable', (bytes) => edit(bytes, at(bytes, 'ffda') + 6, '33')],
    ['a scan with a wrong length', 'undecodable', (bytes) => edit(bytes, at(bytes, 'ffda') + 4, '01')],
    ['a frame with missing blocks', 'undecodable', (bytes) => edit(bytes, frame(bytes) + 5, '0fff')],
    ['a table that exceeds its segment', 'undecodable', (bytes) => edit(bytes, at(bytes, 'ffc4') + 5, 'ffff')],
    ['a table with an invalid ID', 'undecodable', (bytes) => edit(bytes, at(bytes, 'ffdb') + 4, '04')],
    ['an empty restart interval', 'undecodable', (bytes) => insert(bytes, 2, jpegSegment(0xdd, ''))],
    ['a table with too many codes', 'undecodable', (bytes) => edit(bytes, at(bytes, 'ffc4') + 5, '03')],
    ['a frame without its number of lines', 'unsupported', (bytes) => edit(bytes, frame(bytes) + 5, '0000')],
    ['a frame with twelve bits', 'unsupported', (bytes) => edit(bytes, frame(bytes) + 4, '0c')],
    ['lossless coding', 'unsupported', (bytes) => edit(bytes, frame(bytes), 'ffc3')],
    ['differential coding', 'unsupported', (bytes) => edit(bytes, frame(bytes), 'ffc5')],
    ['arithmetic coding', 'unsupported', (bytes) => edit(bytes, frame(bytes), 'ffc9')],
    ['hierarchical coding', 'unsupported', (bytes) => insert(bytes, 2, jpegSegment(0xde, 'xx'))],
    ['a frame of 120 megapixels', 'too-many-pixels', (bytes) => edit(bytes, frame(bytes) + 5, '2af92af9')],
    ['too much metadata', 'too-much-metadata', (bytes) => insert(bytes, 2, ...comments)],
    ['too many tables', 'too-much-metadata', (bytes) => insert(bytes, 2, ...tables)],
    ['too many segments', 'undecodable', (bytes) => insert(bytes, 2, Buffer.alloc(40_004, 'fffe0002', 'hex'))],
  ])('%s: %s', async (_, outcome, spoil) => {
    expect(cleanJpeg(spoil(await whole()))).toEqual({ outcome })
  })

  const comments = Array.from({ length: 1 + MAX_METADATA / 65_536 }, () => jpegSegment(0xfe, Buffer.alloc(65_533)))

  /** The last is damaged, but never reached. */
  const tables = [
    ...Array<Buffer>(Math.ceil(MAX_METADATA / 65_500)).fill(jpegSegment(0xc4, Buffer.alloc(65_518))),
    jpegSegment(0xc4, 'x'),
  ]

  const behindScan = (bytes: Buffer, start: number): Buffer => {
    const header = bytes.subarray(start, start + 19)
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + 19, -2), header, bytes.subarray(-2)])
  }

  test('a photograph cut anywhere before its end', async () => {
    for (const options of [{}, { progressive: true }]) {
      const bytes = taintedJpeg(
        await sharp(await whole())
          .jpeg(options)
          .toBuffer(),
      )
      const end = bytes.lastIndexOf(Buffer.from('MotionPhoto_Data'))
      for (let length = 0; length < end; length += 1)
        expect(cleanJpeg(bytes.subarray(0, length)).outcome).toBe('undecodable')
    }
  })
})

test('never throws on damage, and accepts its own output', async () => {
  const sources = [
    taintedJpeg(await whole()),
    taintedJpeg(
      await sharp(await whole())
        .jpeg({ progressive: true })
        .toBuffer(),
    ),
  ]
  const changes = fc.array(fc.tuple(fc.nat(20_000), fc.nat(255)), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(fc.constantFrom(...sources), changes, (source, list) => {
      const bytes = Buffer.from(source)
      for (const [offset, byte] of list) bytes[offset % bytes.length] = byte
      const cleaning = cleanJpeg(bytes)
      if (cleaning.outcome !== 'clean') return
      const clean = Buffer.concat(cleaning.parts)
      expect(cleaned(clean).bytes).toEqual(clean)
    }),
    { numRuns: 3_000 },
  )
})
