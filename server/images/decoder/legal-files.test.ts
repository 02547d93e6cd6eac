import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import type { Orientation } from '#server/cleaning/cleaning.ts'
import type { Format } from '#server/images/format.ts'
import { tagsIn, telltale } from '#testing/images/exiftool.ts'
import { cleanPath, variantPath } from './decoder.ts'
import { DecoderPool } from './pool.ts'

const SECRET = 'Ada-Lovelace-7041'
const [WIDTH, HEIGHT] = [430, 310]

interface Shape {
  readonly format: Format
  readonly isGrey: boolean
  readonly hasAlpha: boolean
  readonly isDeep: boolean
  readonly profile: 'none' | 'srgb' | 'p3'
  readonly orientation: Orientation
  readonly isInterlaced: boolean
  readonly frames: number
}

const shapes: fc.Arbitrary<Shape> = fc.record({
  format: fc.constantFrom('jpeg', 'png', 'png', 'gif', 'webp', 'avif'),
  isGrey: fc.boolean(),
  hasAlpha: fc.boolean(),
  isDeep: fc.boolean(),
  profile: fc.constantFrom('none', 'srgb', 'p3'),
  orientation: fc.constantFrom(1, 2, 3, 4, 5, 6, 7, 8),
  isInterlaced: fc.boolean(),
  frames: fc.constantFrom(1, 1, 3),
})

/** The expected picture: soft colours that every profile contains, or greys, with one half fading out. */
function truth({ isGrey, hasAlpha }: Shape): Sharp {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 4)
  for (let at = 0; at < pixels.length; at += 4) {
    const [x, y] = [(at / 4) % WIDTH, Math.floor(at / 4 / WIDTH)]
    const light = 60 + (x * 120) / WIDTH
    const colour = isGrey ? [light, light, light] : [light, 60 + (y * 120) / HEIGHT, 170 - (y * 100) / HEIGHT]
    pixels.set([...colour, hasAlpha && x > WIDTH / 2 ? 255 - (y * 220) / HEIGHT : 255], at)
  }
  const image = sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 4 } })
  return hasAlpha ? image : image.removeAlpha()
}

/** Returns the features of a shape that its format supports. */
function possible(shape: Shape): Shape {
  const { format } = shape
  const moves = format === 'gif' || format === 'webp'
  return {
    ...shape,
    hasAlpha: shape.hasAlpha && format !== 'jpeg' && format !== 'gif',
    isDeep: shape.isDeep && (format === 'png' || format === 'avif'),
    profile: shape.isGrey || format === 'gif' ? 'none' : shape.profile,
    // HEIF stores rotation differently, and the decoder does not rotate animations.
    orientation: format === 'gif' || format === 'avif' || (moves && shape.frames > 1) ? 1 : shape.orientation,
    frames: moves ? shape.frames : 1,
  }
}

async function makeFile(shape: Shape): Promise<Buffer> {
  const { format, isGrey, isDeep, isInterlaced, profile, orientation, frames } = shape
  const { data, info } = await truth(shape).raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const raw = { width, height: height * frames, channels, ...(frames > 1 && { pageHeight: height }) }
  const space = isGrey ? (isDeep ? 'grey16' : 'b-w') : isDeep ? 'rgb16' : 'srgb'
  // Each frame is shifted a little to the left, because encoders drop identical ones.
  const moved = Array.from({ length: frames }, (_, index) => {
    const by = index * 10 * channels
    return Buffer.concat([data.subarray(by), data.subarray(0, by)])
  })
  const plain = sharp(Buffer.concat(moved), { raw }).toColourspace(space)
  const coloured = profile === 'none' ? plain : plain.withIccProfile(profile)
  const personal = coloured.withExif({ IFD0: { Artist: SECRET } }).withMetadata({ orientation })
  switch (format) {
    case 'jpeg':
      return personal.jpeg({ quality: 95, progressive: isInterlaced }).toBuffer()
    case 'png':
      return personal.png({ compressionLevel: 0, progressive: isInterlaced }).toBuffer()
    case 'gif':
      return personal.gif({ effort: 1, progressive: isInterlaced }).toBuffer()
    case 'webp':
      return personal.webp({ lossless: isInterlaced, quality: 95, effort: 0 }).toBuffer()
    case 'avif':
      return personal.avif({ quality: 90, effort: 0, bitdepth: isDeep ? 10 : 8 }).toBuffer()
  }
}

/** A few pixels of an image, multiplied by their alpha. */
async function gist(image: Sharp): Promise<number[]> {
  const { data } = await image
    .toColourspace('srgb')
    .ensureAlpha()
    .resize({ width: 16, height: 16, fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data].map((value, index) => (index % 4 === 3 ? value : (value * (data[index | 3] ?? 0)) / 255))
}

const furthest = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((most, value, index) => Math.max(most, Math.abs(value - (other[index] ?? 0))), 0)

test('any legal picture looks the same in every size, and nothing personal is kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-legal-'))
  const pool = new DecoderPool()
  const stored = join(folder, 'stored')
  await mkdir(stored)
  let runs = 0
  try {
    await fc.assert(
      fc.asyncProperty(shapes.map(possible), async (shape) => {
        const path = join(folder, 'upload')
        await writeFile(path, await makeFile(shape))
        const outcome = await pool.decode({ path, format: shape.format, folder }, { lane: ['owner'] })
        const turned = await truth(shape).withMetadata({ orientation: shape.orientation }).png().toBuffer()
        const seen = sharp(turned).autoOrient()
        const isOnItsSide = shape.orientation > 4
        const size = isOnItsSide ? { width: HEIGHT, height: WIDTH } : { width: WIDTH, height: HEIGHT }
        expect(outcome).toMatchObject({ outcome: 'decoded', ...size, frames: shape.frames })
        if (outcome.outcome !== 'decoded') return
        const expected = await gist(sharp(await seen.png().toBuffer()))
        for (const { width } of outcome.variants) {
          // From bytes, because sharp caches files by path.
          const variant = await gist(sharp(await readFile(variantPath(folder, width))))
          expect(furthest(variant, expected)).toBeLessThan(12)
          await rename(variantPath(folder, width), join(stored, `${runs}-w${width}`))
        }
        await rename(cleanPath(folder), join(stored, `${runs}`))
        runs += 1
      }),
      { numRuns: 60 },
    )
    const tags = await tagsIn(stored)
    expect(tags.size).toBeGreaterThan(runs)
    expect([...tags].filter(([, found]) => telltale(found).length > 0)).toEqual([])
  } finally {
    await pool.close()
    await rm(folder, { recursive: true })
  }
})
