import { type Association, type MetaItem, readItems } from '#server/cleaning/avif/avif-items.ts'
import { type BoxField, boxesIn, joined, makeBox, makeFullBox } from '#server/cleaning/avif/iso-boxes.ts'

/** Planted in every part of a file that is not picture data. */
export const AVIF_TAINT = 'SLUICE-TAINT'
const taint = Buffer.from(`${AVIF_TAINT} `.repeat(4))

export interface AvifItem {
  readonly id: number
  readonly type: string
  readonly data: Buffer
  readonly name?: string
  /** For items of type `mime`. */
  readonly contentType?: string
  readonly isHidden?: boolean
  readonly isProtected?: boolean
  readonly properties?: readonly AvifProperty[]
  readonly references?: readonly (readonly [type: string, ...to: number[]])[]
}

export interface AvifProperty {
  readonly box: Buffer
  readonly isEssential?: boolean
}

export interface AvifShape {
  readonly brands?: string
  readonly primary?: number
  readonly handler?: string
  /** The version of `iloc`. */
  readonly locations?: 0 | 1 | 2
  /** Where `iloc` locates the bytes: in the file, or in `idat`. */
  readonly method?: 0 | 1
  /** Extents that each item's bytes are divided into. */
  readonly extents?: number
  /** Whether IDs have four bytes. */
  readonly isWide?: boolean
  /** Boxes inside `meta`, before it, and at the end. */
  readonly inMeta?: readonly Buffer[]
  readonly before?: readonly Buffer[]
  readonly after?: readonly Buffer[]
}

/** Writes any AVIF, valid or not, with other box orders and versions than the cleaner. */
export function makeAvif(items: readonly AvifItem[], shape: AvifShape = {}): Buffer {
  const { before = [], after = [], method = 0 } = shape
  const file = makeBox('ftyp', shape.brands ?? 'avif\0\0\0\0avifmif1miafMA1A')
  const data = joined(listData(items))
  const start = file.length + joined(before).length + 8
  const meta = makeMeta(items, shape, method === 0 ? start : 0, method === 0 ? [] : [makeBox('idat', data)])
  return joined([file, ...before, makeBox('mdat', method === 0 ? data : Buffer.alloc(0)), meta, ...after])
}

/** Bytes shared by items are written once. */
const listData = (items: readonly AvifItem[]): Buffer[] => [...new Set(items.map(({ data }) => data))]

function makeMeta(items: readonly AvifItem[], shape: AvifShape, start: number, idat: readonly Buffer[]): Buffer {
  const { primary = items[0]?.id ?? 1, handler = '', isWide = false, inMeta = [] } = shape
  const id = (value: number): BoxField => [isWide ? 4 : 2, value]
  const version: BoxField = [4, isWide ? 0x1000000 : 0]
  const entries = items.map((item) => {
    const kind = item.contentType === undefined ? '' : `${item.contentType}\0`
    const head: BoxField[] = [
      [1, isWide ? 3 : 2],
      [3, item.isHidden ? 1 : 0],
      id(item.id),
      [2, item.isProtected ? 1 : 0],
    ]
    return makeBox('infe', ...head, `${item.type}${item.name ?? ''}\0${kind}`)
  })
  const references = items.flatMap((item) =>
    (item.references ?? []).map(([type, ...to]) => makeBox(type, id(item.id), [2, to.length], ...to.map(id))),
  )
  return makeFullBox(
    'meta',
    0,
    ...idat,
    makeBox('iprp', ...makeProperties(items, isWide)),
    makeBox('iref', version, joined(references)),
    makeBox('iinf', version, [isWide ? 4 : 2, items.length], joined(entries)),
    makeLocations(items, shape, start),
    makeBox('pitm', version, id(primary)),
    makeFullBox('hdlr', 0, [4, 0], 'pict', Buffer.alloc(12), `${handler}\0`),
    ...inMeta,
  )
}

function makeProperties(items: readonly AvifItem[], isWide: boolean): Buffer[] {
  const boxes = items.flatMap(({ properties = [] }) => properties.map(({ box }) => box))
  let index = 0
  const associations = items.flatMap(({ id, properties = [] }): BoxField[] => [
    [isWide ? 4 : 2, id],
    [1, properties.length],
    ...properties.map(({ isEssential }): BoxField => [2, ++index + (isEssential ? 0x8000 : 0)]),
  ])
  return [
    makeBox('ipco', joined(boxes)),
    makeBox('ipma', [1, isWide ? 1 : 0], [3, 1], [4, items.length], joined(associations)),
  ]
}

function makeLocations(items: readonly AvifItem[], shape: AvifShape, start: number): Buffer {
  const { extents = 1, method = 0 } = shape
  const version = shape.locations ?? (method === 1 ? 1 : 0)
  const wide = version === 2 ? 4 : 2
  const places = new Map<Buffer, number>()
  let end = start
  for (const data of listData(items)) {
    places.set(data, end)
    end += data.length
  }
  const entries = items.flatMap(({ id, data }): BoxField[] => {
    const at = places.get(data) ?? 0
    const length = Math.ceil(data.length / extents)
    const cuts = Array.from({ length: extents }, (_, index) => Math.min(length, data.length - index * length))
    const head: BoxField[] = [[wide, id], ...(version > 0 ? [[2, method] as const] : []), [2, 0], [4, at], [2, extents]]
    const body = cuts.flatMap((cut, index): BoxField[] => [
      [4, index * length],
      [4, cut],
    ])
    return [...head, ...body]
  })
  return makeBox('iloc', [1, version], [3, 0], [2, 0x4440], [wide, items.length], joined(entries))
}

/** Returns the items of an AVIF that stores its data in the file, for use in others. */
export function avifItems(avif: Buffer): AvifItem[] {
  const meta = boxesIn(avif).find(({ type }) => type === 'meta')
  if (!meta) throw new Error('no meta box')
  const { byId, references } = readItems(meta.body)
  return [...byId.values()].map((item: MetaItem) => ({
    id: item.id,
    type: item.type,
    isHidden: item.isHidden,
    contentType: item.type === 'mime' ? item.contentType : undefined,
    data: joined((item.location?.extents ?? []).map(({ offset, length }) => avif.subarray(offset, offset + length))),
    properties: item.properties.map(({ property: { type, body }, isEssential }: Association) => ({
      box: makeBox(type, body),
      isEssential,
    })),
    references: references.filter(({ from }) => from === item.id).map(({ type, to }) => [type, ...to] as const),
  }))
}

/** An open bitstream unit of AV1, of fewer than 128 bytes. */
export const av1Unit = (type: number, body: Buffer): Buffer => Buffer.from([(type << 3) | 2, body.length, ...body])

/** Returns the same picture with `TAINT` in every place that can contain it. */
export function taintAvif(avif: Buffer): Buffer {
  const [picture, ...others] = avifItems(avif)
  if (!picture) throw new Error('no items')
  const { id } = picture
  const ended = joined([taint, [1, 0x80]])
  const hidden = joined([av1Unit(5, joined([[1, 4], [1, 0xb5], ended])), av1Unit(15, ended), av1Unit(12, taint)])
  const longer = ({ box, ...rest }: AvifProperty) => ({ ...rest, box: box.includes('av1C') ? box : lengthened(box) })
  const tainted: AvifItem = {
    ...picture,
    name: AVIF_TAINT,
    data: joined(picture.type === 'grid' ? [picture.data, taint] : [hidden, picture.data, hidden]),
    properties: [
      ...(picture.properties ?? []).map(longer),
      { box: makeBox('udes', [4, 0], `en\0${AVIF_TAINT}\0${AVIF_TAINT}\0${AVIF_TAINT}\0`) },
      { box: makeBox('uuid', taint) },
    ],
  }
  const about: AvifItem[] = [
    { id: 901, type: 'Exif', data: joined([[4, 0], taint]), name: AVIF_TAINT, references: [['cdsc', id]] },
    { id: 902, type: 'mime', data: taint, contentType: 'application/rdf+xml', references: [['cdsc', id]] },
    { id: 903, type: 'mime', data: taint, contentType: AVIF_TAINT },
    { ...picture, id: 904, data: joined([picture.data, hidden]), references: [['thmb', id]] },
    { id: 905, type: 'uri ', data: taint },
  ]
  return makeAvif([tainted, ...others, ...about], {
    handler: AVIF_TAINT,
    isWide: true,
    locations: 2,
    extents: 2,
    inMeta: [
      makeBox('grpl', makeBox('altr', [4, 0], [4, 77], [4, 2], [4, id], [4, 904])),
      makeBox('xml ', [4, 0], taint),
    ],
    before: [makeBox('free', taint), makeBox('uuid', taint), makeBox('mdat', taint)],
    after: [makeBox('skip', taint), makeBox('udta', taint), makeBox('mpvd', taint), taint],
  })
}

const lengthened = (box: Buffer): Buffer =>
  box.toString('latin1', 8, 12) === 'prof' ? box : makeBox(box.toString('latin1', 4, 8), box.subarray(8), taint)
