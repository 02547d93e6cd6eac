import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { picture } from '#testing/images/pictures.ts'
import { AVIF_TAINT, type AvifItem, av1Unit, avifItems, makeAvif, taintAvif } from '#testing/images/tainted-avif.ts'
import type { Cleaned } from '../cleaning.ts'
import { cleanAvif } from './avif.ts'
import { type BoxField, joined, makeBox, makeFullBox } from './iso-boxes.ts'

const pixels = sharp(await picture({ format: 'png', width: 64, height: 48 }))
const plain = await pixels.clone().avif({ effort: 0 }).toBuffer()
const transparent = await pixels.clone().ensureAlpha(0.5).avif({ effort: 0 }).toBuffer()

const pictures: Record<string, Buffer> = {
  plain,
  transparent,
  lossless: await pixels.clone().avif({ lossless: true, effort: 0 }).toBuffer(),
  'of 10 bits': await pixels.clone().avif({ bitdepth: 10, effort: 0 }).toBuffer(),
  'with a profile': await pixels.clone().withIccProfile('p3').avif({ effort: 0 }).toBuffer(),
  turned: await pixels.clone().withMetadata({ orientation: 5 }).avif({ effort: 0 }).toBuffer(),
  'a grid': makeGrid(3, 2),
  'a grid with alpha': makeGrid(2, 2, transparent),
  cropped: withProperty(
    'clap',
    [40, 1, 20, 1, 0, 1, 0, 1].map((value): BoxField => [4, value]),
  ),
  mirrored: withProperty('imir', [[1, 1]]),
  'of a light level': withProperty('clli', [[4, 0x10002000]]),
}

describe.each(Object.entries(pictures))('an AVIF that is %s', (_, avif) => {
  test('decodes to the same pixels in the same orientation', async () => {
    expect(await decoded(cleanBytes(avif))).toEqual(await decoded(avif))
  })

  test('is unchanged when cleaned again', () => {
    const once = cleanBytes(avif)
    const again = cleaned(once)
    expect(joined(again.parts.map(Buffer.from))).toEqual(once)
    expect(again.removed).toEqual([])
  })

  test('keeps only the picture', async () => {
    const tainted = taintAvif(avif)
    const { removed } = cleaned(tainted)
    expect(cleanBytes(tainted).includes(AVIF_TAINT)).toBe(false)
    expect(await decoded(cleanBytes(tainted))).toEqual(await decoded(avif))
    expect(removed).toEqual(expect.arrayContaining(['exif', 'xmp', 'text', 'preview', 'trailer', 'other']))
    expect(cleanBytes(cleanBytes(tainted))).toEqual(cleanBytes(tainted))
  })

  test('is undecodable when cut anywhere', () => {
    for (let length = 0; length < avif.length; length += 1) {
      expect(cleanAvif(avif.subarray(0, length))).toEqual({ outcome: 'undecodable' })
    }
  })

  test('never throws, grows or changes on a second cleaning, whatever is modified', () => {
    const change = fc.tuple(fc.nat(Math.min(1_500, avif.length - 1)), fc.nat(255))
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const bytes = Buffer.from(avif)
        for (const [at, value] of changes) bytes[at] = value
        const cleaning = cleanAvif(bytes)
        if (cleaning.outcome !== 'clean') return
        const once = joined(cleaning.parts.map(Buffer.from))
        expect(once.length).toBeLessThan(bytes.length + 400)
        expect(cleanBytes(once)).toEqual(once)
      }),
      { numRuns: 400 },
    )
  })
})

test('reports the displayed size in the header', () => {
  const size = (avif: Buffer) => [cleaned(avif).header.width, cleaned(avif).header.height]
  expect(size(plain)).toEqual([64, 48])
  expect(size(pictures.turned ?? plain)).toEqual([48, 64])
  expect(size(pictures.cropped ?? plain)).toEqual([40, 20])
  expect(size(makeGrid(3, 2))).toEqual([192, 96])
  expect(cleaned(plain).header).toEqual({ width: 64, height: 48, frames: 1, orientation: 1 })
})

test('does not use EXIF for the orientation of a HEIF picture', async () => {
  const exif = joined([[4, 0], 'MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0'])
  const turned = makeAvif([...avifItems(plain), { id: 9, type: 'Exif', data: exif, references: [['cdsc', 1]] }])
  expect((await sharp(turned).metadata()).exif).toBeDefined()
  expect(await decoded(turned)).toEqual(await decoded(plain))
  expect(cleanBytes(turned)).toEqual(cleanBytes(plain))
})

test('accepts boxes in any version and order', () => {
  for (const locations of [1, 2] as const) {
    for (const method of [0, 1] as const) {
      for (const isWide of [false, true]) {
        const avif = makeAvif(avifItems(transparent), { locations, method, isWide, extents: 3 })
        expect(cleanBytes(avif)).toEqual(cleanBytes(makeAvif(avifItems(transparent))))
      }
    }
  }
})

test('drops a moving picture beside the still one', () => {
  const avif = makeAvif(avifItems(plain), { after: [makeBox('moov', AVIF_TAINT)] })
  expect(cleanBytes(avif)).toEqual(cleanBytes(plain))
  expect(cleaned(avif).removed).toEqual(['other'])
})

test.each<readonly [string, readonly BoxField[]]>([
  ['auxC', [[4, 0], `${AVIF_TAINT}\0`]],
  ['udes', [[4, 0], `en\0${AVIF_TAINT}\0\0\0`]],
])('drops a picture’s %s, which does not affect how it looks', async (type, fields) => {
  const avif = withProperty(type, fields, false)
  expect(cleanBytes(avif)).toEqual(cleanBytes(plain))
  expect(cleaned(avif).removed).toEqual(['other'])
  expect(await decoded(avif)).toEqual(await decoded(plain))
})

test('drops the offsets of layers when something before them is dropped', () => {
  const layers = makeBox('a1lx', [1, 0], [2, 40], [2, 0], [2, 0])
  const [first, ...others] = avifItems(plain)
  if (!first) throw new Error('no items')
  const withLayers = { ...first, properties: [...(first.properties ?? []), { box: layers }] }
  expect(cleanBytes(makeAvif([withLayers, ...others])).includes(layers)).toBe(true)
  const padded = { ...withLayers, data: joined([first.data, av1Unit(15, Buffer.from([0x80]))]) }
  expect(cleanBytes(makeAvif([padded, ...others]))).toEqual(cleanBytes(plain))
})

test('drops another file appended to the picture', () => {
  expect(cleanBytes(joined([plain, transparent]))).toEqual(cleanBytes(plain))
})

test('keeps items sharing their bytes', () => {
  const clean = cleanBytes(makeGrid(6, 6))
  const gridBytes = 8
  const dataBytes = clean.length - clean.indexOf('mdat') - 4
  expect(dataBytes).toBe(gridBytes + (avifItems(plain)[0]?.data.length ?? 0))
})

test('writes equal properties once, since decoders accept no more than a hundred', async () => {
  const clean = cleanBytes(makeGrid(6, 6))
  const { width, height } = await sharp(clean).metadata()
  expect({ width, height }).toEqual({ width: 6 * 64, height: 6 * 48 })
  const ofTile = avifItems(plain)[0]?.properties?.length ?? 0
  const sizeOfAll = 1
  expect(clean.toString('latin1').match(/ispe|pixi|av1C|colr/g)).toHaveLength(ofTile + sizeOfAll)
})

describe('refuses', () => {
  const [item, ...rest] = avifItems(plain)
  const first: AvifItem = item ?? { id: 1, type: 'av01', data: Buffer.alloc(0) }
  const withSize = (width: number, height: number): AvifItem => ({
    ...first,
    properties: [{ box: makeFullBox('ispe', 0, [4, width], [4, height]) }],
  })
  const grid = (columns: number, tiles: readonly number[], properties?: AvifItem['properties']): AvifItem => ({
    id: 90,
    type: 'grid',
    data: joined([
      [2, 0],
      [1, 0],
      [1, columns - 1],
      [2, 64 * columns],
      [2, 48],
    ]),
    properties: properties ?? [{ box: makeFullBox('ispe', 0, [4, 64 * columns], [4, 48]) }],
    references: [['dimg', ...tiles]],
  })

  test.each<[string, Buffer, string]>([
    ['a sequence', makeAvif([first], { brands: 'avif\0\0\0\0avifavis' }), 'unsupported'],
    ['another coding', makeAvif([{ ...first, type: 'hvc1' }]), 'unsupported'],
    ['an overlay', makeAvif([{ ...grid(1, [1]), type: 'iovl' }, first]), 'unsupported'],
    ['a protected item', makeAvif([{ ...first, isProtected: true }]), 'unsupported'],
    ['an unknown essential property', withEssential(first), 'unsupported'],
    ['a grid of grids', makeAvif([grid(1, [91]), { ...grid(1, [1]), id: 91 }, first]), 'unsupported'],
    ['a grid of itself', makeAvif([grid(1, [90]), first]), 'unsupported'],
    ['two alpha planes', makeAvif([...avifItems(transparent), ...secondAlpha()]), 'unsupported'],
    ['a grid with a tile too few', makeAvif([grid(2, [1]), first]), 'undecodable'],
    [
      'a grid of a different size than announced',
      makeAvif([grid(1, [1], withSize(9, 9).properties), first]),
      'undecodable',
    ],
    ['a grid without tiles', makeAvif([grid(1, [77]), first]), 'undecodable'],
    ['no primary item', makeAvif([first], { primary: 77 }), 'undecodable'],
    ['two items with one ID', makeAvif([first, first]), 'undecodable'],
    ['no size', makeAvif([{ ...first, properties: [] }]), 'undecodable'],
    ['an empty size', makeAvif([withSize(0, 48)]), 'undecodable'],
    ['no bytes', makeAvif([{ ...first, data: Buffer.alloc(0) }]), 'undecodable'],
    ['no sequence header', makeAvif([{ ...first, data: av1Unit(6, Buffer.alloc(9)) }]), 'undecodable'],
    ['a name that does not end', makeAvif([withName(first)]), 'undecodable'],
    ['units that do not fill the data', makeAvif([{ ...first, data: first.data.subarray(0, -1) }]), 'undecodable'],
    ['two meta boxes', joined([plain, makeBox('meta', [4, 0])]), 'undecodable'],
    ['a truncated box after the picture', joined([plain, [4, 99], 'mdat']), 'undecodable'],
    ['too many pixels', makeAvif([withSize(10_001, 10_000), ...rest]), 'too-many-pixels'],
    ['too many pixels in the coded data', makeAvif([{ ...first, data: makeBomb(first.data) }]), 'too-many-pixels'],
    [
      'too many tiles',
      makeAvif([
        grid(
          1,
          Array.from({ length: 1_001 }, () => 1),
        ),
        first,
      ]),
      'too-many-pixels',
    ],
    [
      'too many pixels in tiles',
      makeAvif([
        grid(
          99,
          Array.from({ length: 99 }, () => 1),
        ),
        withSize(9_999, 9_999),
      ]),
      'too-many-pixels',
    ],
    ['too much metadata', joined([plain, makeBox('free', Buffer.alloc(8 * 1024 * 1024))]), 'too-much-metadata'],
    [
      'too many boxes',
      makeAvif([first], { inMeta: [Buffer.concat(Array(10_001).fill(makeBox('free')))] }),
      'too-much-metadata',
    ],
  ])('%s', (_, avif, outcome) => {
    expect(cleanAvif(avif)).toEqual({ outcome })
  })

  test('bytes that are listed again and again, which would make the file grow', () => {
    const avif = makeAvif([first], { locations: 1 })
    const at = avif.indexOf('iloc') + 12
    const extent = avif.subarray(at + 14, at + 22)
    const many = joined([avif.subarray(at, at + 12), [2, 9], ...Array.from({ length: 9 }, () => extent)])
    const iloc = makeBox('iloc', avif.subarray(at - 8, at), many)
    const meta = makeBox('meta', avif.subarray(avif.indexOf('meta') + 4, at - 12), iloc, avif.subarray(at + 22))
    const grown = joined([avif.subarray(0, avif.indexOf('meta') - 4), meta])
    expect(cleanAvif(grown)).toEqual({ outcome: 'undecodable' })
  })

  function secondAlpha(): AvifItem[] {
    return avifItems(transparent)
      .slice(1)
      .map((alpha) => ({ ...alpha, id: 99 }))
  }
})

function withName(item: AvifItem): AvifItem {
  return { ...item, properties: [...(item.properties ?? []), { box: makeBox('auxC', [4, 0], 'urn:mpeg') }] }
}

function withEssential(item: AvifItem): Buffer {
  return makeAvif([{ ...item, properties: [...(item.properties ?? []), { box: makeBox('abcd'), isEssential: true }] }])
}

/** A sequence header of 65,536 x 65,536 pixels before the picture's own data. */
function makeBomb(data: Buffer): Buffer {
  return joined([av1Unit(1, Buffer.from('183fffffffffe0', 'hex')), data])
}

function withProperty(type: string, fields: readonly BoxField[], isEssential = true): Buffer {
  const [first, ...others] = avifItems(plain)
  if (!first) throw new Error('no items')
  const properties = [...(first.properties ?? []), { box: makeBox(type, ...fields), isEssential }]
  return makeAvif([{ ...first, properties }, ...others])
}

function makeGrid(columns: number, rows: number, tile = plain): Buffer {
  const count = columns * rows
  const grid = (id: number, tiles: number, more: readonly Buffer[]): AvifItem => ({
    id,
    type: 'grid',
    data: joined([
      [2, 0],
      [1, rows - 1],
      [1, columns - 1],
      [2, 64 * columns],
      [2, 48 * rows],
    ]),
    properties: [makeFullBox('ispe', 0, [4, 64 * columns], [4, 48 * rows]), ...more].map((box) => ({ box })),
    references: [
      ['dimg', ...Array.from({ length: count }, (_, index) => tiles + index)],
      ...(more.length > 0 ? [['auxl', 500] as const] : []),
    ],
  })
  const [colour, alpha] = avifItems(tile)
  if (!colour) throw new Error('no items')
  const listTiles = (item: AvifItem, start: number) =>
    Array.from({ length: count }, (_, index) => ({ ...item, id: start + index, isHidden: true, references: [] }))
  const auxiliary = makeFullBox('auxC', 0, 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0')
  return makeAvif([
    grid(500, 1, []),
    ...listTiles(colour, 1),
    ...(alpha ? [grid(501, 200, [auxiliary]), ...listTiles(alpha, 200)] : []),
  ])
}

function cleaned(avif: Buffer): Cleaned {
  const cleaning = cleanAvif(avif)
  if (cleaning.outcome !== 'clean') throw new Error(cleaning.outcome)
  return cleaning
}

function cleanBytes(avif: Buffer): Buffer {
  return joined(cleaned(avif).parts.map(Buffer.from))
}

/** Size and 16-bit pixels as displayed. */
async function decoded(avif: Buffer) {
  const image = sharp(avif, { failOn: 'warning' }).autoOrient()
  const { data, info } = await image.raw({ depth: 'ushort' }).toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, channels: info.channels, pixels: data.toString('base64') }
}
