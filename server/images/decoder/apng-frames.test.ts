import { expect, test } from 'vitest'
import { animatedPng } from '#testing/images/animated-png.ts'
import { openApng } from './apng-frames.ts'

test('fits frames that are too high but so narrow that they keep their width', async () => {
  const size = { width: 2, height: 1_801 }
  const colours = ['#f00', '#0f0', '#00f']
  const moving = await openApng(await animatedPng(colours, size), { space: 'srgb', autoOrient: size }, null)
  const { image } = await moving({ width: 400, height: 1_600 })
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  expect(info).toMatchObject({ width: 2, height: 3 * 1_600 })
  const first = colours.map((_, frame) => [...data.subarray(frame * 1_600 * 8, frame * 1_600 * 8 + 4)])
  expect(first).toEqual([
    [255, 0, 0, 255],
    [0, 255, 0, 255],
    [0, 0, 255, 255],
  ])
})
