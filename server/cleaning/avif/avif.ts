import { MAX_HIDDEN_PIXELS, MAX_METADATA, MAX_PIXELS, MAX_TOTAL_PIXELS } from '../caps.ts'
import { type Cleaned, type Cleaning, type Removed, removedKinds } from '../cleaning.ts'
import { type Av1Data, cleanAv1 } from './av1.ts'
import { type AvifFile, readAvifFile } from './avif-file.ts'
import { type Items, type MetaItem, readItems } from './avif-items.ts'
import { type PictureItem, selectParts } from './avif-picture.ts'
import { type SpatialExtent, seenSize } from './avif-properties.ts'
import { type WrittenItem, writeAvif } from './avif-writer.ts'
import { BoxRefusal, FieldReader } from './iso-boxes.ts'
import { itemDataReader } from './item-data.ts'

/** Rewrites an AVIF's container (ISO/IEC 23008-12, AV1 Image File Format 1.2) with only the primary picture. Its AV1
 *  data is unchanged except for padding and metadata. HEIF rotates by properties and not by EXIF, so these stay, and
 *  the header has the displayed size. Sequences are not supported. */
export function cleanAvif(bytes: Buffer): Cleaning {
  try {
    return clean(bytes)
  } catch (error) {
    if (error instanceof BoxRefusal) return { outcome: error.reason }
    throw error
  }
}

function clean(bytes: Buffer): Cleaned {
  const file = readAvifFile(bytes)
  if (file.brands.includes('avis')) throw new BoxRefusal('unsupported')
  const items = readItems(file.meta)
  const data = itemDataReader(bytes, items.idat)
  const readCoded = coder()
  const pictures = selectParts(items).map((part) => ({ ...part, ...readCoded(part, data.read(part.item.location)) }))
  const size = pictures[0]?.properties.size
  if (!size) throw new BoxRefusal('undecodable')
  const seen = seenSize(size, pictures[0]?.properties.kept ?? [])
  checkPixels(pictures, seen)
  if (bytes.length - data.bytes() - file.trailerBytes > MAX_METADATA) throw new BoxRefusal('too-much-metadata')
  const removed = removedFrom(file, items, pictures)
  return {
    outcome: 'clean',
    parts: writeAvif(pictures.map(writtenItem)),
    header: { ...seen, frames: 1, orientation: 1 },
    removed: removedKinds.filter((kind) => removed.has(kind)),
  }
}

/** A part with its bytes to write, and the pixels that these announce. */
type Picture = PictureItem & Av1Data

/** Returns a function that reads a part's data, once for all items that share it. */
function coder(): (part: PictureItem, data: Buffer) => Av1Data {
  const known = new Map<Buffer, Av1Data>()
  return ({ item, properties, references }, data) => {
    if (item.type === 'grid') return readGrid(properties.size, references, data)
    const coded = known.get(data) ?? cleanAv1(data)
    known.set(data, coded)
    if (coded.pixels === 0) throw new BoxRefusal('undecodable')
    return coded
  }
}

/** Reads the data of a grid (ISO/IEC 23008-12, 6.6.2.3): rows and columns, both minus one, and the size of the
 *  whole. */
function readGrid(size: SpatialExtent | undefined, references: PictureItem['references'], data: Buffer): Av1Data {
  const fields = new FieldReader(data)
  const version = fields.uint(1)
  const bytes = fields.uint(1) & 1 ? 4 : 2
  const cells = (fields.uint(1) + 1) * (fields.uint(1) + 1)
  const [width, height] = [fields.uint(bytes), fields.uint(bytes)]
  const tiles = references.find(({ type }) => type === 'dimg')?.to.length
  if (version !== 0 || tiles !== cells || width !== size?.width || height !== size.height) {
    throw new BoxRefusal('undecodable')
  }
  const grid = data.subarray(0, data.length - fields.left)
  return { parts: [grid], hasDropped: fields.left > 0, pixels: width * height, frames: 1 }
}

/** Browsers allocate what is coded, even where tiles overlap the edge of a grid or the clean aperture is smaller. An alpha
 *  plane is as large as what is seen. */
function checkPixels(pictures: readonly Picture[], seen: SpatialExtent): void {
  let [coded, decoded] = [0, 0]
  for (const { item, properties, pixels, frames, uses } of pictures) {
    const { width, height } = properties.size ?? { width: 1, height: 1 }
    if (width === 0 || height === 0) throw new BoxRefusal('undecodable')
    const most = Math.max(width * height, pixels)
    if (item.type === 'av01') {
      coded += most * uses
      decoded += most * uses * frames
    }
    if (most > MAX_PIXELS || decoded > MAX_TOTAL_PIXELS) throw new BoxRefusal('too-many-pixels')
  }
  const planes = pictures.some(({ properties }) => properties.isAlpha) ? 2 : 1
  if (coded - planes * seen.width * seen.height > MAX_HIDDEN_PIXELS) throw new BoxRefusal('too-many-pixels')
}

function writtenItem({ item, properties, references, parts, hasDropped }: Picture): WrittenItem {
  // Offsets of layers, which no decoder needs, no longer match.
  const kept = properties.kept.filter(({ type }) => !(hasDropped && type === 'a1lx'))
  return { type: item.type, isHidden: item.isHidden, properties: kept, references, data: parts }
}

function removedFrom(file: AvifFile, items: Items, pictures: readonly Picture[]): Set<Removed> {
  const removed = new Set<Removed>()
  const used = new Set(pictures.map(({ item }) => item.id))
  const previews = new Set(items.references.filter(({ type }) => type === 'thmb').map(({ from }) => from))
  for (const item of items.byId.values()) {
    if (!used.has(item.id)) removed.add(previews.has(item.id) ? 'preview' : removedKind(item))
    if (item.hasName) removed.add('text')
  }
  if (items.hasHandlerName) removed.add('text')
  if (pictures.some(({ properties }) => properties.hasLostProfileTags)) removed.add('profile-tags')
  const hasUnknownData = file.dataBytes > itemBytes(items)
  const hasDropped = pictures.some((picture) => picture.hasDropped || picture.properties.hasDropped)
  if (hasUnknownData || file.hasOthers || hasDropped) removed.add('other')
  if (file.trailerBytes > 0) removed.add('trailer')
  return removed
}

/** Returns how many bytes of the file belong to items. */
function itemBytes({ byId }: Items): number {
  const inFile = [...byId.values()].flatMap(({ location }) => (location?.method === 0 ? location.extents : []))
  return inFile.reduce((sum, { length }) => sum + length, 0)
}

function removedKind({ type, contentType }: MetaItem): Removed {
  if (type === 'Exif') return 'exif'
  return type === 'mime' && contentType === 'application/rdf+xml' ? 'xmp' : 'other'
}
