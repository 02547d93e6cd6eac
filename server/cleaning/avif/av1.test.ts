import { expect, test } from 'vitest'
import { av1Unit } from '#testing/images/tainted-avif.ts'
import { cleanAv1 } from './av1.ts'
import { BoxRefusal } from './iso-boxes.ts'

const fromBits = (...fields: readonly string[]): Buffer => {
  const bits = `${fields.join('')}1`
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0')
  return Buffer.from((padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
const bits = (count: number): string => '01'.repeat(count).slice(0, count)

const reduced = fromBits('000', '1', '1', '00000', '0111', '0111', '01100011', '00110001')
const sequence = av1Unit(1, reduced)
const frame = av1Unit(6, Buffer.from('abc'))

test('counts the pixels of a still picture from its sequence header', () => {
  const data = Buffer.concat([sequence, frame])
  expect(cleanAv1(data)).toEqual({ parts: [data], hasDropped: false, pixels: 100 * 50, frames: 1 })
})

test('reads a header with timing, a decoder model and two operating points up to its size', () => {
  const timing = ['1', bits(64), '1', '00101', '1', '00011', bits(42)]
  const first = [bits(12), '01000', '1', '1', bits(9), '1', bits(4)]
  const second = [bits(12), '00000', '0', '0']
  const size = ['1011', '0111', '000001100011', '00110001']
  const full = fromBits('000', '0', '0', ...timing, '1', '00001', ...first, ...second, ...size)
  expect(cleanAv1(av1Unit(1, full)).pixels).toBe(100 * 50)
})

test('counts the largest of several sequence headers', () => {
  const larger = av1Unit(1, fromBits('000', '1', '1', '00000', '0111', '0111', '11111111', '11111111'))
  expect(cleanAv1(Buffer.concat([sequence, larger, sequence])).pixels).toBe(256 * 256)
})

test('keeps delimiters, light levels and the mastering display, and drops padding, other metadata and reserved units', () => {
  const light = av1Unit(5, Buffer.from('011000200080', 'hex'))
  const display = av1Unit(5, Buffer.from(`02${'11'.repeat(24)}80`, 'hex'))
  const kept = [av1Unit(2, Buffer.alloc(0)), sequence, light, display, frame]
  const dropped = [
    av1Unit(5, Buffer.from('04b5414180', 'hex')),
    av1Unit(5, Buffer.from('011000200041414180', 'hex')),
    av1Unit(15, Buffer.from('41414180', 'hex')),
    av1Unit(12, Buffer.from('AAA')),
    av1Unit(2, Buffer.from('AAA')),
  ]
  const data = Buffer.concat(kept.flatMap((unit, index) => [unit, dropped[index] ?? Buffer.alloc(0)]))
  expect(cleanAv1(data)).toEqual({ parts: kept, hasDropped: true, pixels: 100 * 50, frames: 1 })
})

test('accepts a last unit without a size, and units with an extension', () => {
  const extended = Buffer.from([(6 << 3) | 6, 0x20, 1, 0x99])
  const last = Buffer.from([6 << 3, 0x99, 0x99])
  const data = Buffer.concat([sequence, extended, last])
  expect(cleanAv1(data)).toEqual({ parts: [data], hasDropped: false, pixels: 100 * 50, frames: 2 })
})

test.each([
  ['a set forbidden bit', Buffer.from([0x8a, 0])],
  ['a size past the end', Buffer.from([0x0a, 9, 0])],
  ['a size without an end', Buffer.from([0x0a, ...Array(9).fill(0x80)])],
  ['half a sequence header', av1Unit(1, reduced.subarray(0, 3))],
])('rejects %s as damage', (_, data) => {
  expect(() => cleanAv1(data)).toThrow(new BoxRefusal('undecodable'))
})

test('refuses more units than a picture has', () => {
  const units = Buffer.concat(Array(5_001).fill(av1Unit(2, Buffer.alloc(0))))
  expect(() => cleanAv1(units)).toThrow(new BoxRefusal('too-much-metadata'))
})
