import { type Box, BoxRefusal, boxesIn, FieldReader, needBox, oneBox } from './iso-boxes.ts'

/** An item of a `meta` box (ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12), as far as it is supported. */
export interface MetaItem {
  readonly id: number
  readonly type: string
  readonly isHidden: boolean
  readonly isProtected: boolean
  readonly hasName: boolean
  /** For items of type `mime`. */
  readonly contentType: string
  readonly location: Location | undefined
  readonly properties: readonly Association[]
}

export interface Location {
  /** 0: in the file; 1: in `idat`; others are not supported. */
  readonly method: number
  readonly isElsewhere: boolean
  readonly extents: readonly { readonly offset: number; readonly length: number }[]
}

export interface Association {
  readonly property: Box
  readonly isEssential: boolean
}

export interface Reference {
  readonly type: string
  readonly from: number
  readonly to: readonly number[]
}

export interface Items {
  readonly primary: number
  readonly byId: ReadonlyMap<number, MetaItem>
  readonly references: readonly Reference[]
  readonly idat: Buffer
  readonly hasHandlerName: boolean
}

/** Bytes of a table in the `meta` box; listing items takes about forty bytes of memory for each byte. */
const MAX_TABLES = 2 * 1024 * 1024

/** Reads the `meta` box of a picture. Throws BoxRefusal. */
export function readItems(meta: Buffer): Items {
  const boxes = boxesIn(afterVersion(meta))
  const tables = boxes.filter(({ type }) => ['iinf', 'iloc', 'iref'].includes(type))
  if (tables.some(({ body }) => body.length > MAX_TABLES)) throw new BoxRefusal('too-much-metadata')
  const handler = new FieldReader(afterVersion(needBox(boxes, 'hdlr')))
  handler.take(4)
  if (handler.fourCharacters() !== 'pict') throw new BoxRefusal('unsupported')
  handler.take(12)
  const locations = readLocations(needBox(boxes, 'iloc'))
  const associations = readAssociations(needBox(boxes, 'iprp'))
  const byId = new Map<number, MetaItem>()
  for (const entry of readEntries(needBox(boxes, 'iinf'))) {
    addOnce(byId, entry.id, {
      ...entry,
      location: locations.get(entry.id),
      properties: associations.get(entry.id) ?? [],
    })
  }
  const { id } = idReader(needBox(boxes, 'pitm'))
  return {
    primary: id(),
    byId,
    references: readReferences(oneBox(boxes, 'iref')),
    idat: oneBox(boxes, 'idat') ?? Buffer.alloc(0),
    hasHandlerName: handler.rest().some((byte) => byte !== 0),
  }
}

function afterVersion(body: Buffer): Buffer {
  const fields = new FieldReader(body)
  fields.versionAndFlags()
  return fields.rest()
}

/** With two entries for one item, decoders differ in which they use, so such a file is refused. */
function addOnce<T>(map: Map<number, T>, id: number, value: T): void {
  if (map.has(id)) throw new BoxRefusal('undecodable')
  map.set(id, value)
}

/** Reads boxes whose item IDs have two bytes in version 0 and four in later ones. */
function idReader(body: Buffer) {
  const fields = new FieldReader(body)
  const { version, flags } = fields.versionAndFlags()
  return { fields, version, flags, id: () => fields.uint(version === 0 ? 2 : 4) }
}

function readEntries(iinf: Buffer) {
  const { fields, id: count } = idReader(iinf)
  count()
  const boxes = boxesIn(fields.rest())
  return boxes.filter(({ type }) => type === 'infe').map(({ body }) => readEntry(body))
}

function readEntry(infe: Buffer) {
  const fields = new FieldReader(infe)
  const { version, flags } = fields.versionAndFlags()
  if (version !== 2 && version !== 3) throw new BoxRefusal('unsupported')
  const id = fields.uint(version === 2 ? 2 : 4)
  const isProtected = fields.uint(2) !== 0
  const type = fields.fourCharacters()
  const hasName = fields.left > 0 && fields.string() !== ''
  const contentType = type === 'mime' ? fields.string() : ''
  return { id, type, isHidden: (flags & 1) === 1, isProtected, hasName, contentType }
}

function readLocations(iloc: Buffer): Map<number, Location> {
  const fields = new FieldReader(iloc)
  const { version } = fields.versionAndFlags()
  if (version > 2) throw new BoxRefusal('unsupported')
  const sizes = fields.uint(2)
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15]
  const indexSize = version === 0 ? 0 : sizes & 15
  if ([offsetSize, lengthSize, baseSize, indexSize].some((size) => size > 8)) throw new BoxRefusal('undecodable')
  // Such an extent takes no bytes here, so nothing would bound their announced number.
  if (offsetSize + lengthSize === 0) throw new BoxRefusal('unsupported')
  const locations = new Map<number, Location>()
  for (let items = fields.uint(version < 2 ? 2 : 4); items > 0; items -= 1) {
    const id = fields.uint(version < 2 ? 2 : 4)
    const method = version === 0 ? 0 : fields.uint(2) & 15
    const isElsewhere = fields.uint(2) !== 0
    const base = fields.uint(baseSize)
    const extents = Array.from({ length: fields.uint(2) }, () => {
      fields.uint(indexSize)
      return { offset: base + fields.uint(offsetSize), length: fields.uint(lengthSize) }
    })
    addOnce(locations, id, { method, isElsewhere, extents })
  }
  return locations
}

function readReferences(iref: Buffer | undefined): Reference[] {
  if (!iref) return []
  const { version } = new FieldReader(iref).versionAndFlags()
  const size = version === 0 ? 2 : 4
  return boxesIn(afterVersion(iref)).map(({ type, body }) => {
    const fields = new FieldReader(body)
    const from = fields.uint(size)
    return { type, from, to: Array.from({ length: fields.uint(2) }, () => fields.uint(size)) }
  })
}

function readAssociations(iprp: Buffer): Map<number, Association[]> {
  const boxes = boxesIn(iprp)
  const properties = boxesIn(needBox(boxes, 'ipco'))
  const associations = new Map<number, Association[]>()
  for (const { type, body } of boxes) {
    if (type !== 'ipma') continue
    if (body.length > MAX_TABLES) throw new BoxRefusal('too-much-metadata')
    const { fields, flags, id } = idReader(body)
    const [size, essential] = flags & 1 ? [2, 0x8000] : [1, 0x80]
    for (let entries = fields.uint(4); entries > 0; entries -= 1) {
      const item = id()
      const indices = Array.from({ length: fields.uint(1) }, () => fields.uint(size))
      const used = indices.filter((index) => index % essential > 0)
      addOnce(
        associations,
        item,
        used.map((index) => {
          const property = properties[(index % essential) - 1]
          if (!property) throw new BoxRefusal('undecodable')
          return { property, isEssential: index >= essential }
        }),
      )
    }
  }
  return associations
}
