import sharp from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { expect, test } from 'vitest'
import { placeholderColour, placeholderImage } from './placeholder.ts'

test('returns the average colour', () => {
  const blue = Buffer.alloc(40 * 20 * 4, Buffer.from([20, 60, 200, 255]))
  const colour = placeholderColour(Buffer.from(rgbaToThumbHash(40, 20, blue)).toString('base64'))
  expect(colour).toMatch(/^rgb\(\d+ \d+ \d+ \/ 1\.00\)$/)
  const parts = colour.match(/\d+/g)?.slice(0, 3).map(Number) ?? []
  expect(parts.map((value, at) => Math.abs(value - ([20, 60, 200][at] ?? 0)) < 12)).toEqual([true, true, true])
})

test('returns a small image of the same shape and colour', async () => {
  const blue = Buffer.alloc(40 * 20 * 4, Buffer.from([20, 60, 200, 255]))
  const image = placeholderImage(Buffer.from(rgbaToThumbHash(40, 20, blue)).toString('base64'))
  const [, base64 = ''] = /^url\("data:image\/png;base64,([^"]+)"\)$/.exec(image) ?? []
  const { data, info } = await sharp(Buffer.from(base64, 'base64')).raw().toBuffer({ resolveWithObject: true })
  expect([info.width, info.height]).toEqual([32, 18])
  expect([...data.subarray(0, 4)].map((value, at) => Math.abs(value - ([20, 60, 200, 255][at] ?? 0)) < 12)).toEqual([
    true,
    true,
    true,
    true,
  ])
})
