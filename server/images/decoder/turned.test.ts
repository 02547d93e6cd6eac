import sharp from 'sharp'
import { expect, test } from 'vitest'
import { orientationTiff } from '#server/cleaning/orientation.ts'
import { animatedPng } from '#testing/images/animated-png.ts'
import { makePool } from '#testing/images/decoder-pool.ts'
import { makePng } from '#testing/images/pictures.ts'
import { orient } from './turned.ts'

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'applies orientation %d to pixels as the decoder does to a file',
  async (orientation) => {
    const size = { width: 5, height: 3 }
    const pixels = Buffer.from(Array.from({ length: 5 * 3 * 4 }, (_, at) => (at % 4 === 3 ? 255 : at)))
    const file = await sharp(pixels, { raw: { ...size, channels: 4 } })
      .withMetadata({ orientation })
      .png()
      .toBuffer()
    expect(orient(pixels, size, orientation)).toEqual(await sharp(file).autoOrient().raw().toBuffer())
  },
)

test('applies the orientation of an animated PNG to its size and every variant', async () => {
  await using made = await makePool()
  const plain = await animatedPng(['#f00', '#0f0'], { width: 900, height: 60 })
  const turn = makePng([['eXIf', orientationTiff(6)]]).subarray(8)
  const bytes = Buffer.concat([plain.subarray(0, 33), turn, plain.subarray(33)])
  const outcome = await made.decode('png', bytes)
  expect(outcome).toMatchObject({ outcome: 'decoded', width: 60, height: 900, frames: 2 })
  const small = await sharp(made.variant(400), { animated: true }).metadata()
  expect(small).toMatchObject({ width: 60, pageHeight: 900, pages: 2 })
})
