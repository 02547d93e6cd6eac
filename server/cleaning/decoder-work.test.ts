import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Format } from '#server/images/format.ts'
import { avifGrid } from '#testing/images/avif-grid.ts'
import { manyScans } from '#testing/images/many-scans.ts'
import { avifItems, makeAvif } from '#testing/images/tainted-avif.ts'
import { sparseWebp } from '#testing/images/vast-canvases.ts'
import { joined } from './avif/iso-boxes.ts'
import { cleanImage } from './clean.ts'

const create = { width: 1_000, height: 1_000, channels: 3, background: 'red' } as const
const [picture] = avifItems(await sharp({ create }).avif({ effort: 0 }).toBuffer())

/** As many frames in the data of one picture. */
const frames = (count: number): Buffer =>
  makeAvif(picture ? [{ ...picture, data: joined(Array.from({ length: count }, () => picture.data)) }] : [])

/** A grid of `side` x `side` equal tiles that shows a picture of this size. */
const grid = (side: number, width: number, height: number): Buffer =>
  avifGrid(picture ?? expect.unreachable(), side, width, height)

describe('a small file that takes a decoder long is refused without one', () => {
  const files: [string, Format, () => Buffer][] = [
    ['a JPEG of 2,000 x 2,000 pixels with 626 scans', 'jpeg', () => manyScans(2_000, 626)],
    ['a JPEG of 10,000 x 10,000 pixels with 26 scans', 'jpeg', () => manyScans(10_000, 26)],
    ['an AVIF of a megapixel with 251 frames', 'avif', () => frames(251)],
    ['an AVIF grid of 16 x 16 tiles of a megapixel', 'avif', () => grid(16, 16_000, 16_000)],
    ['an AVIF grid of 32 x 32 tiles', 'avif', () => grid(32, 5_000, 5_000)],
    ['an AVIF grid that shows a corner of its tiles', 'avif', () => grid(2, 1_000, 1_000)],
    [
      'a WebP of 1,001 frames',
      'webp',
      () =>
        sparseWebp(
          Array.from({ length: 1_001 }, () => [0, 0]),
          1,
        ),
    ],
  ]
  test.each(files)('%s', async (_, format, make) => {
    expect(await cleanImage(format, make())).toEqual({ outcome: 'too-many-pixels' })
  })

  test('a WebP of 10,000 frames', async () => {
    const webp = sparseWebp(
      Array.from({ length: 10_000 }, () => [0, 0]),
      1,
    )
    expect(await cleanImage('webp', webp)).toEqual({ outcome: 'undecodable' })
  })
})

test.each<[string, Format, () => Buffer]>([
  ['a JPEG of 2,000 x 2,000 pixels with 625 scans', 'jpeg', () => manyScans(2_000, 625)],
  ['a JPEG of 800 x 800 pixels with 883 scans', 'jpeg', () => manyScans(800, 883)],
  ['an AVIF of a megapixel with four layers', 'avif', () => frames(4)],
  ['an AVIF grid of 3 x 3 tiles whose last ones overlap the edge', 'avif', () => grid(3, 2_700, 2_800)],
])('%s stays', async (_, format, make) => {
  expect(await cleanImage(format, make())).toMatchObject({ outcome: 'clean' })
})
