import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { readHeic } from '#server/cleaning/avif/heic.ts'
import { joined, makeBox } from '#server/cleaning/avif/iso-boxes.ts'
import { makePool } from '#testing/images/decoder-pool.ts'
import {
  extent,
  type HeicName,
  heicFile,
  heicGrid,
  heicItem,
  heicWith,
  makeHeic,
  nclx,
  without,
} from '#testing/images/heic-files.ts'
import { colourProfile } from './colour-profile.ts'

/** Returns what becomes of a file, and the JPEG that is stored. */
async function convert(bytes: Buffer) {
  await using made = await makePool()
  const outcome = await made.decode('heic', bytes)
  return { outcome, jpeg: outcome.outcome === 'decoded' ? await readFile(join(made.folder, 'clean')) : null }
}

type Colour = 'red' | 'green' | 'blue' | 'white'

/** Returns the colours of the corners: top left, top right, bottom left, bottom right. */
async function corners(jpeg: Buffer | null, toSrgb = false): Promise<Colour[]> {
  const opened = sharp(jpeg ?? Buffer.alloc(0))
  const image = toSrgb ? opened : opened.withMetadata()
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const at = (x: number, y: number): Colour => {
    const [red = 0, green = 0, blue = 0] = data.subarray((y * width + x) * channels)
    if (red > 150 && green > 150 && blue > 150) return 'white'
    return red > green && red > blue ? 'red' : green > blue ? 'green' : 'blue'
  }
  const [left, right, top, bottom] = [8, width - 9, 8, height - 9]
  return [at(left, top), at(right, top), at(left, bottom), at(right, bottom)]
}

const UPRIGHT = ['red', 'green', 'blue', 'white']

test.each<HeicName>(['plain', 'deep'])('stores a %s HEIC as a JPEG of the same picture', async (name) => {
  const { outcome, jpeg } = await convert(heicFile(name))
  expect(outcome).toMatchObject({ outcome: 'decoded', format: 'jpeg', width: 128, height: 96, frames: 1 })
  expect(await sharp(jpeg ?? Buffer.alloc(0)).metadata()).toMatchObject({ format: 'jpeg', hasProfile: false })
  expect(await corners(jpeg)).toEqual(UPRIGHT)
})

test('shows transparent pixels as white', async () => {
  const { jpeg } = await convert(heicFile('transparent'))
  expect(await corners(jpeg)).toEqual(['red', 'green', 'white', 'white'])
})

const turn = (quarters: number) => makeBox('irot', [1, quarters])
const mirror = (axis: number) => makeBox('imir', [1, axis])

test.each<readonly [string, Buffer[], string[]]>([
  ['a quarter counterclockwise', [turn(1)], ['green', 'white', 'red', 'blue']],
  ['half', [turn(2)], ['white', 'blue', 'green', 'red']],
  ['three quarters', [turn(3)], ['blue', 'red', 'white', 'green']],
  ['across the vertical axis', [mirror(1)], ['green', 'red', 'white', 'blue']],
  ['across the horizontal axis', [mirror(0)], ['blue', 'white', 'red', 'green']],
  ['a quarter and across', [turn(1), mirror(1)], ['white', 'green', 'blue', 'red']],
])('applies a transformation: %s', async (_, boxes, expected) => {
  const { outcome, jpeg } = await convert(heicWith(boxes))
  const isTurned = boxes[0]?.toString('latin1', 4, 8) === 'irot' && (boxes[0][8] ?? 0) % 2 === 1
  expect(outcome).toMatchObject(isTurned ? { width: 96, height: 128 } : { width: 128, height: 96 })
  expect(await corners(jpeg)).toEqual(expected)
})

test('joins the tiles of a grid, and cuts off what reaches over its edge', async () => {
  const { outcome, jpeg } = await convert(heicGrid(3, 2, { width: 300, height: 180 }))
  expect(outcome).toMatchObject({ outcome: 'decoded', width: 300, height: 180 })
  const [top] = await corners(jpeg)
  expect(top).toBe('red')
})

test('keeps the ICC profile of the picture', async () => {
  const p3 = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#f00' } })
    .withIccProfile('p3')
    .jpeg()
    .toBuffer()
  const { icc = Buffer.alloc(0) } = await sharp(p3).metadata()
  const { jpeg } = await convert(heicWith([makeBox('colr', 'prof', icc)]))
  const kept = await sharp(jpeg ?? Buffer.alloc(0)).metadata()
  const header = readHeic(heicWith([makeBox('colr', 'prof', icc)]))
  expect(header.outcome === 'read' && header.colour).toEqual(kept.icc)
  expect(kept.icc?.subarray(16, 20).toString()).toBe('RGB ')
  expect(await corners(jpeg)).toEqual(UPRIGHT)
})

test.each([
  ['Display P3', 12, 13, true],
  ['PQ', 9, 16, true],
  ['HLG', 9, 18, true],
  ['sRGB', 1, 13, false],
])('colours described as %s get the profile that they need', async (_, primaries, transfer, hasProfile) => {
  const { outcome, jpeg } = await convert(heicWith([nclx(primaries, transfer)], 'deep'))
  expect(outcome).toMatchObject({ outcome: 'decoded' })
  expect(await sharp(jpeg ?? Buffer.alloc(0)).metadata()).toMatchObject({ hasProfile })
  expect(await corners(jpeg, true)).toEqual(UPRIGHT)
})

test.each([
  ['BT.2020', 9, 1, true],
  ['gamma 2.2', 1, 4, true],
  ['linear light', 1, 8, true],
  ['BT.709', 1, 1, false],
  ['BT.601', 6, 6, false],
  ['unspecified', 2, 2, false],
])('%s: whether a profile is needed', (_, primaries, transfer, isNeeded) => {
  expect(colourProfile({ primaries, transfer }) !== null).toBe(isNeeded)
})

test('a saturated red in Display P3 is outside of sRGB', async () => {
  const [{ jpeg: plain }, { jpeg: wide }] = [await convert(heicWith([])), await convert(heicWith([nclx(12, 13)]))]
  const red = async (jpeg: Buffer | null) => {
    const data = await sharp(jpeg ?? Buffer.alloc(0))
      .extract({ left: 8, top: 8, width: 1, height: 1 })
      .raw()
      .toBuffer()
    return data[0] ?? 0
  }
  expect((await red(wide)) - (await red(plain))).toBeGreaterThan(10)
})

test('what is said beside the picture is removed, and reported', async () => {
  const item = heicItem()
  const secret = Buffer.from('SECRET')
  const bytes = makeHeic(
    [
      { ...item, name: 'SECRET' },
      { id: 90, type: 'Exif', data: joined([[4, 0], secret]), references: [['cdsc', item.id]] },
      { id: 91, type: 'mime', data: secret, contentType: 'application/rdf+xml' },
      { ...item, id: 92, data: Buffer.concat([item.data]), references: [['thmb', item.id]] },
    ],
    { after: [secret] },
  )
  const { outcome, jpeg } = await convert(bytes)
  expect(outcome).toMatchObject({ outcome: 'decoded', removed: ['exif', 'xmp', 'text', 'preview', 'trailer'] })
  expect(jpeg?.includes('SECRET')).toBe(false)
})

test('the primary picture of a burst is stored', async () => {
  const [item, other] = [heicItem(), { ...heicItem('deep'), id: 7 }]
  const bytes = makeHeic([other, item], { primary: item.id, brands: 'msf1\0\0\0\0msf1hevcmif1heic' })
  expect((await convert(bytes)).outcome).toMatchObject({ outcome: 'decoded', width: 128 })
})

test('the same file makes the same bytes', async () => {
  const [first, second] = [await convert(heicFile()), await convert(heicFile())]
  expect(first.jpeg).not.toBeNull()
  expect(first.jpeg).toEqual(second.jpeg)
})

const sized = (name: HeicName, width: number, height: number) => {
  const item = heicItem(name)
  return makeHeic([{ ...item, properties: [...without(item, 'ispe'), { box: extent(width, height) }] }])
}

test.each<readonly [string, () => Buffer, string]>([
  ['claims 30,000 x 30,000 pixels', () => sized('plain', 30_000, 30_000), 'too-many-pixels'],
  ['is a grid that claims 30,000 x 30,000', () => heicGrid(2, 2, { width: 30_000, height: 30_000 }), 'too-many-pixels'],
  ['claims 64 x 64 and has 16 megapixels', () => sized('vast', 64, 64), 'too-many-pixels'],
  ['claims more than it has', () => sized('plain', 256, 96), 'undecodable'],
  ['is a grid that lacks tiles', () => heicGrid(2, 2, { width: 1_000, height: 900 }), 'undecodable'],
  ['is truncated in its picture', () => heicFile().subarray(0, -40), 'undecodable'],
  ['is truncated in its boxes', () => heicFile().subarray(0, 200), 'undecodable'],
  ['has other bytes for a picture', () => makeHeic([{ ...heicItem(), data: Buffer.alloc(300, 7) }]), 'undecodable'],
  ['has two pictures in one item', () => twice(), 'unsupported'],
  ['has an AV1 picture', () => makeHeic([{ ...heicItem(), type: 'av01' }]), 'unsupported'],
  ['has no configuration', () => makeHeic([{ ...heicItem(), properties: [{ box: extent(128, 96) }] }]), 'undecodable'],
  ['is no picture', () => makeHeic([heicItem()], { handler: 'x', primary: 9 }), 'undecodable'],
])('refuses a HEIC that %s', async (_, make, expected) => {
  expect((await convert(make())).outcome).toEqual({ outcome: expected })
})

function twice(): Buffer {
  const item = heicItem()
  return makeHeic([{ ...item, data: Buffer.concat([item.data, item.data]) }])
}

test('the memory of the decoder counts, and ends the process', async () => {
  await using made = await makePool({ maxMemory: 170 * 1024 * 1024 })
  expect(await made.decode('heic', heicFile())).toMatchObject({ outcome: 'decoded' })
  expect(await made.decode('heic', heicFile('vast'))).toEqual({ outcome: 'too-costly' })
})

test('the deadline ends it', async () => {
  await using made = await makePool({ deadlineMs: 60 })
  expect(await made.decode('heic', heicFile('vast'))).toEqual({ outcome: 'too-costly' })
})
