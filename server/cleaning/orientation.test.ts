import fc from 'fast-check'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { picture } from '#testing/images/pictures.ts'
import { jpegSegment } from '#testing/images/tainted.ts'
import { orientationTiff, readOrientation } from './orientation.ts'

const orientations = [1, 2, 3, 4, 5, 6, 7, 8] as const

test.each(orientations)('reads back %i as written', (orientation) => {
  const tiff = orientationTiff(orientation)
  expect(readOrientation(tiff)).toBe(orientation)
  expect(readOrientation(Buffer.concat([Buffer.from('Exif\0\0'), tiff]))).toBe(orientation)
  // The second zero is only padding. Some cameras write something else there, and browsers rotate the picture all the
  // same.
  expect(readOrientation(Buffer.concat([Buffer.from('Exif\0\xff', 'latin1'), tiff]))).toBe(orientation)
})

const entry = (hex: string) => Buffer.from(`49492a0008000000${hex}`, 'hex')

test.each([
  ['little-endian', '0100' + '120103000100000006000000', 6],
  ['as a long', '0100' + '120104000100000006000000', 6],
  ['as a byte', '0100' + '120101000100000006000000', 6],
  ['as text', '0100' + '120102000200000036000000', 1],
  ['the first of several values', '0100' + '120103000200000006000300', 6],
  ['too many values', '0100' + '120103000a00000008000000', 1],
  ['no value', '0100' + '120103000000000006000000', 1],
  ['behind another tag', '0200' + '000103000100000040000000' + '120103000100000008000000', 8],
  ['the first of two', '0200' + '120103000100000003000000' + '120103000100000008000000', 3],
  ['out of range', '0100' + '120103000100000009000000', 1],
  ['zero', '0100' + '120103000100000000000000', 1],
  ['cut', '0100' + '12010300010000000600', 1],
  ['announced but missing', 'ffff', 1],
] as const)('reads an entry: %s', (_, hex, orientation) => {
  expect(readOrientation(entry(hex))).toBe(orientation)
})

test.each(['', '49', '4949', '49492a', '4d4d002b00000008', '49492a00ffffffff', '4d4d002a7fffffff', '58582a0008000000'])(
  'returns 1 for an invalid TIFF block: %s',
  (hex) => {
    expect(readOrientation(Buffer.from(hex, 'hex'))).toBe(1)
  },
)

test('reads the same orientation as the decoder from any block', async () => {
  const jpeg = await picture({ width: 8, height: 8 })
  const entries = fc.record({
    tag: fc.constantFrom(0x0112, 0x0112, 0x0100),
    type: fc.constantFrom(1, 3, 3, 4, 6, 8, 9),
    count: fc.constantFrom(1, 1, 1, 2, 3),
    value: fc.integer({ min: 0, max: 10 }),
  })
  const blocks = fc.tuple(fc.boolean(), fc.array(entries, { minLength: 1, maxLength: 3 }))
  await fc.assert(
    fc.asyncProperty(blocks, async ([isLittle, list]) => {
      const tiff = makeTiff(isLittle, list)
      const exif = jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff]))
      const tagged = Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)])
      const { orientation = 1 } = await sharp(tagged).metadata()
      expect(readOrientation(tiff)).toBe(orientation)
    }),
    { numRuns: 300 },
  )
})

interface Entry {
  readonly tag: number
  readonly type: number
  readonly count: number
  readonly value: number
}

/** Values of up to four bytes are stored in the entry, others after the IFD. */
function makeTiff(isLittle: boolean, entries: readonly Entry[]): Buffer {
  const bytesOf = (type: number) => (type === 1 || type === 6 ? 1 : type === 3 || type === 8 ? 2 : 4)
  const tiff = Buffer.alloc(14 + entries.length * 12 + entries.length * 16)
  const write = (value: number, at: number, length: number) =>
    isLittle ? tiff.writeUIntLE(value, at, length) : tiff.writeUIntBE(value, at, length)
  tiff.write(isLittle ? 'II' : 'MM')
  write(42, 2, 2)
  write(8, 4, 4)
  write(entries.length, 8, 2)
  for (const [index, { tag, type, count, value }] of entries.entries()) {
    const at = 10 + index * 12
    const outside = 14 + entries.length * 12 + index * 16
    const isInside = bytesOf(type) * count <= 4
    write(tag, at, 2)
    write(type, at + 2, 2)
    write(count, at + 4, 4)
    if (!isInside) write(outside, at + 8, 4)
    write(value, isInside ? at + 8 : outside, bytesOf(type))
  }
  return tiff
}
