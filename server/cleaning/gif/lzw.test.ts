import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeLzw } from '#testing/images/tainted-gif.ts'
import { noise } from '#testing/images/tainted-png.ts'
import { cutLzw } from './lzw.ts'

/** The well-known sample of ten by ten pixels in four colours. */
const known = Buffer.from('8c2d99872a1cdc33a00275ec95faa8de608c04914c01', 'hex')

test('follows a known image to its end code', () => {
  expect(cutLzw(Buffer.concat([known, Buffer.from('hidden')]), 2, 100)).toEqual(known)
})

test("keeps an encoder's data, cuts what follows it, and reports one missing pixel", () => {
  const shapes = fc.record({
    minimum: fc.integer({ min: 2, max: 8 }),
    pixels: fc.integer({ min: 1, max: 9_000 }),
    deferred: fc.boolean(),
    seed: fc.nat(1_000),
  })
  fc.assert(
    fc.property(shapes, ({ minimum, pixels, deferred, seed }) => {
      const picture = noise(pixels, seed).map((value) => value >> (8 - minimum))
      const data = encodeLzw(picture, minimum, { deferred })
      const endless = encodeLzw(picture, minimum, { deferred, endless: true })
      expect(cutLzw(Buffer.concat([data, Buffer.from('hidden')]), minimum, pixels)).toEqual(data)
      expect(cutLzw(endless, minimum, pixels)).toEqual(data)
      expect(cutLzw(data, minimum, pixels + 1)).toBeNull()
    }),
    { numRuns: 100 },
  )
})

test('rejects codes that are not defined yet', () => {
  const bits = (...codes: readonly number[]) => {
    const number = codes.reduce((sum, code, index) => sum | (code << (index * 3)), 0)
    return Buffer.from([number & 255, (number >> 8) & 255, number >> 16])
  }
  expect(cutLzw(bits(4, 1, 6), 2, 3)).not.toBeNull()
  expect(cutLzw(bits(4, 1, 7), 2, 3)).toBeNull()
  expect(cutLzw(bits(4, 6), 2, 3)).toBeNull()
  expect(cutLzw(bits(4, 5), 2, 3)).toBeNull()
  expect(cutLzw(bits(1, 2, 3), 2, 3)).not.toBeNull()
  expect(cutLzw(Buffer.alloc(0), 2, 1)).toBeNull()
})
