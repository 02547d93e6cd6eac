import type { PartReference } from './avif-picture.ts'
import type { CleanProperty } from './avif-properties.ts'
import type { Picture } from './contained-picture.ts'
import { type BoxField, joined, makeBox, makeFullBox } from './iso-boxes.ts'

/** An item to write. Its ID is its position, counted from 1. */
interface WrittenItem {
  readonly type: string
  readonly isHidden: boolean
  readonly properties: readonly CleanProperty[]
  readonly references: readonly PartReference[]
  /** Items that have the same object here share their bytes in the file. */
  readonly data: readonly Buffer[]
}

/** Writes a file of exactly these items, the first of them primary, with boxes in a fixed order. */
export function writePicture(pictures: readonly Picture[], brand: 'avif' | 'heic'): Buffer[] {
  const items = pictures.map(writtenItem)
  const file = makeBox('ftyp', brand, [4, 0], brand, 'mif1', 'miaf')
  const shared = [...new Set(items.map(({ data }) => data))]
  const lengths = shared.map((data) => sum(data.map(({ length }) => length)))
  // Offsets follow from the length of everything before the data, which does not depend on them.
  const metaLength = writeMeta(items, () => [0, 0]).length
  const start = file.length + metaLength + 8
  const meta = writeMeta(items, ({ data }) => {
    const index = shared.indexOf(data)
    return [start + sum(lengths.slice(0, index)), lengths[index] ?? 0]
  })
  return [joined([file, meta, [4, 8 + sum(lengths)], 'mdat']), ...shared.flat()]
}

function writtenItem({ item, properties, references, parts, hasDropped }: Picture): WrittenItem {
  // Offsets of layers, which no decoder needs, no longer match.
  const kept = properties.kept.filter(({ type }) => !(hasDropped && type === 'a1lx'))
  return { type: item.type, isHidden: item.isHidden, properties: kept, references, data: parts }
}

type Locate = (item: WrittenItem) => readonly [offset: number, length: number]

function writeMeta(items: readonly WrittenItem[], locate: Locate): Buffer {
  const locations = items.flatMap((item, index): BoxField[] => {
    const [offset, length] = locate(item)
    return [
      [2, index + 1],
      [2, 0],
      [2, 1],
      [4, offset],
      [4, length],
    ]
  })
  const entries = items.map(({ type, isHidden }, index) =>
    joined([[4, 21], 'infe', [1, 2], [3, isHidden ? 1 : 0], [2, index + 1], [2, 0], type, [1, 0]]),
  )
  const references = items.flatMap(({ references }, index) =>
    references.map(({ type, to }) =>
      makeBox(type, [2, index + 1], [2, to.length], ...to.map((other): BoxField => [2, other + 1])),
    ),
  )
  return makeFullBox(
    'meta',
    0,
    makeFullBox('hdlr', 0, [4, 0], 'pict', Buffer.alloc(13)),
    makeFullBox('pitm', 0, [2, 1]),
    makeFullBox('iloc', 0, [2, 0x4400], [2, items.length], ...locations),
    makeFullBox('iinf', 0, [2, items.length], ...entries),
    ...(references.length > 0 ? [makeFullBox('iref', 0, ...references)] : []),
    writeProperties(items),
  )
}

/** Writes equal boxes once, whatever the file had: libheif accepts no more than a hundred. */
function writeProperties(items: readonly WrittenItem[]): Buffer {
  const given = new Set(items.flatMap(({ properties }) => properties.map(({ box }) => box)))
  const same = new Map(Array.from(given, (box) => [box, box.toString('latin1')]))
  const boxes = [...new Map(Array.from(same, ([box, content]) => [content, box])).values()]
  const places = new Map(boxes.map((box, index) => [same.get(box), index + 1]))
  const indices = new Map(Array.from(same, ([box, content]) => [box, places.get(content)]))
  const [size, essential] = boxes.length > 127 ? ([2, 0x8000] as const) : ([1, 0x80] as const)
  const associations = items.flatMap(({ properties }, index): BoxField[] => [
    [2, index + 1],
    [1, properties.length],
    ...properties.map(
      ({ box, isEssential }): BoxField => [size, (indices.get(box) ?? 0) + (isEssential ? essential : 0)],
    ),
  ])
  const map = makeFullBox('ipma', size - 1, [4, items.length], ...associations)
  return makeBox('iprp', makeBox('ipco', ...boxes), map)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
