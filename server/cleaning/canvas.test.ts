import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Format } from '#server/images/format.ts'
import { type GifFrameOptions, makeGif } from '#testing/images/tainted-gif.ts'
import { clippedAvif, sparseApng, sparseWebp } from '#testing/images/vast-canvases.ts'
import { fitCanvas } from './canvas.ts'
import { MAX_HIDDEN_PIXELS } from './caps.ts'
import { cleanImage } from './clean.ts'

const rectangle = fc.record({
  x: fc.nat(12),
  y: fc.nat(12),
  width: fc.integer({ min: 1, max: 12 }),
  height: fc.nat(12),
})

test('counts what frames cover, and cuts a canvas only if they leave too much empty', () => {
  const scaled = fc.record({
    canvas: fc.record({ width: fc.integer({ min: 1, max: 12 }), height: fc.integer({ min: 1, max: 12 }) }),
    frames: fc.array(rectangle, { minLength: 1, maxLength: 5 }),
    /** One cell of the small grid has this many pixels. */
    scale: fc.constantFrom(1, 400, 900),
  })
  fc.assert(
    fc.property(scaled, ({ canvas, frames, scale }) => {
      const large = frames.map((frame) =>
        Object.fromEntries(Object.entries(frame).map(([key, at]) => [key, at * scale])),
      )
      const fitted = fitCanvas(
        { width: canvas.width * scale, height: canvas.height * scale },
        large.map(({ x = 0, y = 0, width = 0, height = 0 }) => ({ x, y, width, height })),
      )
      const right = Math.min(canvas.width, Math.max(...frames.map(({ x, width }) => x + width)))
      const bottom = Math.min(canvas.height, Math.max(...frames.map(({ y, height }) => y + height)))
      const candidates = [canvas, { width: right, height: bottom }]
      const expected = candidates.find((size) => emptyCells(size, frames) * scale ** 2 <= MAX_HIDDEN_PIXELS)
      expect(fitted).toEqual(expected ? { width: expected.width * scale, height: expected.height * scale } : null)
    }),
    { numRuns: 2_000 },
  )
})

interface Cells {
  readonly width: number
  readonly height: number
}

function emptyCells(size: Cells, frames: readonly { x: number; y: number; width: number; height: number }[]): number {
  const cells = Array.from({ length: size.width * size.height }, (_, cell) => [
    cell % size.width,
    Math.floor(cell / size.width),
  ])
  const isCovered = ([column = 0, row = 0]: readonly number[]) =>
    frames.some(({ x, y, width, height }) => column >= x && column < x + width && row >= y && row < y + height)
  return cells.filter((cell) => !isCovered(cell)).length
}

const corner = { width: 1, height: 1 }
const far: GifFrameOptions = { ...corner, x: 9_999, y: 9_999 }

describe('a canvas far larger than its pictures', () => {
  const refused: [string, Format, () => Buffer | Promise<Buffer>][] = [
    ['a GIF with frames in opposite corners', 'gif', () => makeGif([corner, far], { width: 10_000, height: 10_000 })],
    [
      'a WebP with frames in opposite corners',
      'webp',
      () =>
        sparseWebp(
          [
            [0, 0],
            [9_998, 9_998],
          ],
          10_000,
        ),
    ],
    ['an APNG whose default image is not a frame', 'png', () => sparseApng(2_000)],
    ['an AVIF that shows a corner of its picture', 'avif', () => clippedAvif(1_600, 64)],
  ]
  test.each(refused)('is refused: %s', async (_, format, make) => {
    expect(await cleanImage(format, await make())).toEqual({ outcome: 'too-many-pixels' })
  })

  const cut: [string, Format, () => Buffer | Promise<Buffer>, Cells][] = [
    ['a GIF with a pixel', 'gif', () => makeGif([corner], { width: 10_000, height: 10_000 }), corner],
    [
      'a GIF with a pixel at the right',
      'gif',
      () => makeGif([{ ...far, y: 0 }], { width: 10_000, height: 10_000 }),
      { width: 10_000, height: 1 },
    ],
    ['a WebP with a frame', 'webp', () => sparseWebp([[0, 0]], 10_000), corner],
    [
      'a WebP with two frames',
      'webp',
      () =>
        sparseWebp(
          [
            [0, 0],
            [4, 2],
          ],
          10_000,
        ),
      { width: 5, height: 3 },
    ],
  ]
  test.each(cut)('is cut to its frames: %s', async (_, format, make, size) => {
    const { bytes, header } = await cleaned(format, await make())
    expect(header).toMatchObject(size)
    expect(statedCanvas(format, bytes)).toEqual(size)
    expect((await cleaned(format, bytes)).bytes).toEqual(bytes)
  })

  const kept: [string, Format, () => Buffer | Promise<Buffer>, Cells][] = [
    [
      'a GIF with a border',
      'gif',
      () => makeGif([corner], { width: 1_600, height: 1_200 }),
      { width: 1_600, height: 1_200 },
    ],
    ['a WebP with a border', 'webp', () => sparseWebp([[0, 0]], 1_400), { width: 1_400, height: 1_400 }],
    ['a PNG', 'png', () => sparseApng(1_000), { width: 1_000, height: 1_000 }],
    ['an AVIF with a clean aperture', 'avif', () => clippedAvif(1_024, 64), { width: 64, height: 64 }],
  ]
  test.each(kept)('stays while little is empty: %s', async (_, format, make, size) => {
    expect((await cleaned(format, await make())).header).toMatchObject(size)
  })
})

test.each([
  ['is smaller than the first frame', { width: 4, height: 3 }, [{ width: 9, height: 8 }], { width: 9, height: 8 }],
  ['is zero', { width: 0, height: 0 }, [{ x: 2, width: 9, height: 8 }], { width: 11, height: 8 }],
  [
    'is smaller than a later frame',
    { width: 4, height: 3 },
    [corner, { width: 9, height: 8 }],
    { width: 4, height: 3 },
  ],
])('writes the canvas of browsers into a GIF whose screen %s', async (_, screen, frames, size) => {
  const { bytes, header } = await cleaned('gif', makeGif(frames, screen))
  expect(header).toMatchObject(size)
  expect(statedCanvas('gif', bytes)).toEqual(size)
})

test('refuses GIF frames outside of the canvas that together are too large', async () => {
  const frames = [corner, ...Array.from({ length: 4 }, () => ({ width: 8_000, height: 8_000 }))]
  const gif = makeGif(frames.map(() => corner))
  let at = gif.indexOf('2c00000000', 0, 'hex')
  for (const { width, height } of frames) {
    gif.writeUInt16LE(width, at + 5)
    gif.writeUInt16LE(height, at + 7)
    at = gif.indexOf('2c00000000', at + 1, 'hex')
  }
  expect(await cleanImage('gif', gif)).toEqual({ outcome: 'too-many-pixels' })
})

async function cleaned(format: Format, bytes: Buffer) {
  const cleaning = await cleanImage(format, bytes)
  if (cleaning.outcome !== 'clean') throw new Error(cleaning.outcome)
  return { bytes: Buffer.concat(cleaning.parts), header: cleaning.header }
}

/** What the first bytes say, from which browsers allocate. */
function statedCanvas(format: Format, bytes: Buffer): Cells {
  if (format === 'gif') return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
}

test('shows what decoders see: a cut WebP has the frames that it had', async () => {
  const { bytes } = await cleaned(
    'webp',
    sparseWebp(
      [
        [0, 0],
        [4, 2],
      ],
      10_000,
    ),
  )
  expect(await sharp(bytes, { animated: true }).metadata()).toMatchObject({ width: 5, pageHeight: 3, pages: 2 })
})
