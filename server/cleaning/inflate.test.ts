import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { noise } from '#testing/images/tainted-png.ts'
import { packedLength } from './inflate.ts'

const data = noise(300_000, 1)
const packed = deflateSync(data)
const anything = () => true
const inParts = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size))

test.each([1, 100, 65_536, 1_000_000])(
  'measures a stream in parts of %i bytes, with and without bytes after it',
  async (size) => {
    expect(await packedLength(inParts(packed, size), data.length, anything)).toBe(packed.length)
    const longer = Buffer.concat([packed, noise(200_000, 2)])
    expect(await packedLength(inParts(longer, size), data.length, anything)).toBe(packed.length)
  },
)

test('ignores bytes after a stream that ends with its block', async () => {
  const stored = deflateSync(noise(65_520, 3), { level: 0 })
  const parts = [stored, Buffer.alloc(65_536 - stored.length), noise(65_536, 4)]
  expect(await packedLength(parts, 65_520, anything)).toBe(stored.length)
})

test('passes on the data in order', async () => {
  const pieces: Buffer[] = []
  await packedLength([packed], data.length, (piece) => pieces.push(Buffer.from(piece)) > 0)
  expect(Buffer.concat(pieces).equals(data)).toBe(true)
})

test.each<[string, Buffer[], number]>([
  ['nothing', [], 1],
  ['another format', [noise(100, 1)], 1],
  ['a stream cut short', [packed.subarray(0, -1)], data.length],
  ['a wrong checksum', [packed.subarray(0, -1), Buffer.from([1 ^ (packed.at(-1) ?? 0)])], data.length],
  ['fewer bytes than expected', [packed], data.length + 1],
  ['more bytes than expected', [packed], data.length - 1],
  ['a stream with a dictionary', [deflateSync(data, { dictionary: Buffer.from('words') })], data.length],
])('returns null for %s', async (_, parts, size) => {
  expect(await packedLength(parts, size, anything)).toBeNull()
})

test('returns null when a piece is rejected', async () => {
  expect(await packedLength([packed], data.length, () => false)).toBeNull()
})
