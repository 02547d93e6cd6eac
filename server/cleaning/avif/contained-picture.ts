import { MAX_HIDDEN_PIXELS, MAX_METADATA, MAX_PIXELS, MAX_TOTAL_PIXELS } from '../caps.ts'
import { type Removed, removedKinds } from '../cleaning.ts'
import { type AvifFile, readAvifFile } from './avif-file.ts'
import { type Items, type MetaItem, readItems } from './avif-items.ts'
import { type ItemCoding, type PictureItem, selectParts } from './avif-picture.ts'
import { type CleanProperties, type SpatialExtent, seenSize } from './avif-properties.ts'
import type { CodedData } from './coded-data.ts'
import { BoxRefusal, FieldReader } from './iso-boxes.ts'
import { itemDataReader } from './item-data.ts'

/** A codec of pictures in this container. */
export interface Coding extends ItemCoding {
  /** A brand of files that are not supported. */
  readonly foreignBrand?: string
  /** Throws BoxRefusal. */
  read(data: Buffer, properties: CleanProperties): CodedData
}

export interface ContainedPicture {
  /** The primary item first. */
  readonly pictures: readonly Picture[]
  /** As displayed. */
  readonly seen: SpatialExtent
  readonly removed: readonly Removed[]
  /** A TIFF block. */
  readonly exif: Buffer | undefined
}

/** Reads the primary picture of a container (ISO/IEC 23008-12) and checks it against the caps. Throws BoxRefusal. */
export function readPictures(bytes: Buffer, coding: Coding): ContainedPicture {
  const file = readAvifFile(bytes)
  if (coding.foreignBrand && file.brands.includes(coding.foreignBrand)) throw new BoxRefusal('unsupported')
  const items = readItems(file.meta)
  const data = itemDataReader(bytes, items.idat)
  const readCoded = coder(coding)
  const parts = selectParts(items, coding)
  const pictures = parts.map((part) => ({ ...part, ...readCoded(part, data.read(part.item.location)) }))
  const size = pictures[0]?.properties.size
  if (!size) throw new BoxRefusal('undecodable')
  const seen = seenSize(size, pictures[0]?.properties.kept ?? [])
  checkPixels(pictures, seen)
  if (bytes.length - data.bytes() - file.trailerBytes > MAX_METADATA) throw new BoxRefusal('too-much-metadata')
  const removed = removedFrom(file, items, pictures)
  const exif = readExif(items, data)
  return { pictures, seen, removed: removedKinds.filter((kind) => removed.has(kind)), exif }
}

/** Reads the first EXIF item (ISO/IEC 23008-12, A.2.1): a length of what precedes the block, that, and the block. Damage in it
 *  is no reason to refuse the picture. */
function readExif({ byId }: Items, data: ReturnType<typeof itemDataReader>): Buffer | undefined {
  const item = byId.values().find(({ type }) => type === 'Exif')
  if (!item || item.isProtected) return undefined
  try {
    const fields = new FieldReader(data.read(item.location))
    fields.take(fields.uint(4))
    return fields.rest()
  } catch (error) {
    if (error instanceof BoxRefusal) return undefined
    throw error
  }
}

/** A part with its bytes to write, and the pixels that these announce. */
export type Picture = PictureItem & CodedData

/** Returns a function that reads a part's data, once for all items that share it. */
function coder({ read }: Coding): (part: PictureItem, data: Buffer) => CodedData {
  const known = new Map<Buffer, CodedData>()
  return ({ item, properties, references }, data) => {
    if (item.type === 'grid') return readGrid(properties.size, references, data)
    const coded = known.get(data) ?? read(data, properties)
    known.set(data, coded)
    return coded
  }
}

/** Reads the data of a grid (ISO/IEC 23008-12, 6.6.2.3): rows and columns, both minus one, and the size of the
 *  whole. */
function readGrid(size: SpatialExtent | undefined, references: PictureItem['references'], data: Buffer): CodedData {
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
    if (item.type !== 'grid') {
      coded += most * uses
      decoded += most * uses * frames
    }
    if (most > MAX_PIXELS || decoded > MAX_TOTAL_PIXELS) throw new BoxRefusal('too-many-pixels')
  }
  const planes = pictures.some(({ properties }) => properties.isAlpha) ? 2 : 1
  if (coded - planes * seen.width * seen.height > MAX_HIDDEN_PIXELS) throw new BoxRefusal('too-many-pixels')
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
