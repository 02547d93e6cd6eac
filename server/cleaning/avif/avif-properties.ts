import { cleanProfile } from '../icc.ts'
import { cleanAv1 } from './av1.ts'
import type { Association } from './avif-items.ts'
import { type Box, BoxRefusal, FieldReader, joined, makeBox, makeFullBox } from './iso-boxes.ts'

/** A property rewritten with only its defined fields. */
export interface CleanProperty {
  readonly type: string
  readonly box: Buffer
  readonly isEssential: boolean
}

export interface CleanProperties {
  readonly kept: readonly CleanProperty[]
  readonly hasLostProfileTags: boolean
  readonly hasDropped: boolean
  /** The picture's size from `ispe`, if present. */
  readonly size: SpatialExtent | undefined
  readonly isAlpha: boolean
}

export interface SpatialExtent {
  readonly width: number
  readonly height: number
}

/**
 * Returns a function that selects the properties a picture needs (ISO/IEC 23008-12, 6.5; AVIF 1.2), in their order,
 * which is that of transformations; `configuration` is one that stays as it is. It throws BoxRefusal: 'unsupported' if an essential property is unknown. Items
 * share properties, so each is rewritten once.
 */
export function propertyCleaner(configuration?: string): (associations: readonly Association[]) => CleanProperties {
  const done = new Map<Box, Rewritten>()
  const rewriteOnce = (property: Box): Rewritten => {
    const rewritten = done.get(property) ?? (property.type === configuration ? keep(property) : rewrite(property))
    done.set(property, rewritten)
    return rewritten
  }
  return (associations) => {
    const rewritten = associations.map((association) => ({ ...association, ...rewriteOnce(association.property) }))
    if (rewritten.some(({ isEssential, isKnown }) => isEssential && isKnown === false)) {
      throw new BoxRefusal('unsupported')
    }
    const kept = rewritten.flatMap(({ property: { type }, box, isEssential }) =>
      box ? { type, box, isEssential } : [],
    )
    const [size, second] = kept.filter(({ type }) => type === 'ispe')
    if (second) throw new BoxRefusal('undecodable')
    return {
      kept,
      size: size && readSize(size.box),
      isAlpha: rewritten.some(({ isAlpha }) => isAlpha),
      hasLostProfileTags: rewritten.some(({ hasLostTags }) => hasLostTags),
      hasDropped: kept.length < rewritten.length,
    }
  }
}

/** Returns the displayed size of a picture, after its transformations in order. Throws BoxRefusal. */
export function seenSize(coded: SpatialExtent, properties: readonly CleanProperty[]): SpatialExtent {
  let { width, height } = coded
  for (const { type, box } of properties) {
    if (type === 'irot' && (box[8] ?? 0) % 2 === 1) [width, height] = [height, width]
    if (type !== 'clap') continue
    const [across, acrossParts, down, downParts] = [8, 12, 16, 20].map((at) => box.readUInt32BE(at))
    const cut = { width: Number(across) / Number(acrossParts), height: Number(down) / Number(downParts) }
    const isWhole = [cut.width, cut.height].every((length) => Number.isInteger(length) && length > 0)
    if (!isWhole) throw new BoxRefusal('unsupported')
    if (cut.width > width || cut.height > height) throw new BoxRefusal('undecodable')
    width = cut.width
    height = cut.height
  }
  return { width, height }
}

function readSize(ispe: Buffer): SpatialExtent {
  return { width: ispe.readUInt32BE(12), height: ispe.readUInt32BE(16) }
}

const alphaNames = new Set([
  'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha',
  'urn:mpeg:hevc:2015:auxid:1',
  'urn:mpeg:avc:2015:auxid:1',
])

/** Properties that consist of this many bytes of numbers. */
const plainBytes = new Map([
  ['pasp', 8],
  ['clap', 32],
  ['clli', 4],
  ['mdcv', 24],
  ['a1op', 1],
  ['lsel', 2],
])

interface Rewritten {
  readonly box: Buffer | null
  readonly isKnown?: false
  readonly hasLostTags?: boolean
  readonly isAlpha?: boolean
}

const keep = ({ type, body }: Box): Rewritten => ({ box: makeBox(type, body) })

function rewrite({ type, body }: Box): Rewritten {
  const fields = new FieldReader(body)
  const plain = plainBytes.get(type)
  if (plain !== undefined) return { box: makeBox(type, fields.take(plain)) }
  if (type === 'colr') return rewriteColour(fields)
  if (type === 'auxC') return rewriteAuxiliary(fields)
  const box = rewriteFields(type, fields)
  return box ? { box } : { box, isKnown: false }
}

function rewriteFields(type: string, fields: FieldReader): Buffer | null {
  switch (type) {
    case 'ispe':
      fields.versionAndFlags()
      return makeFullBox(type, 0, fields.take(8))
    case 'pixi': {
      fields.versionAndFlags()
      const channels = fields.uint(1)
      return makeFullBox(type, 0, [1, channels], fields.take(channels))
    }
    case 'irot':
      return makeBox(type, [1, fields.uint(1) & 3])
    case 'imir':
      return makeBox(type, [1, fields.uint(1) & 1])
    case 'a1lx': {
      const isLarge = fields.uint(1) & 1
      return makeBox(type, [1, isLarge], fields.take(isLarge ? 12 : 6))
    }
    case 'av1C':
      return makeBox(type, fields.take(4), joined(cleanAv1(fields.rest()).parts))
    default:
      return null
  }
}

function rewriteAuxiliary(fields: FieldReader): Rewritten {
  fields.versionAndFlags()
  const name = fields.string()
  // Other kinds are not part of the picture, and their names could contain anything.
  const isAlpha = alphaNames.has(name)
  return { box: isAlpha ? makeFullBox('auxC', 0, name, [1, 0]) : null, isAlpha }
}

function rewriteColour(fields: FieldReader): Rewritten {
  const kind = fields.fourCharacters()
  if (kind === 'nclx') return { box: makeBox('colr', kind, fields.take(6), [1, fields.uint(1) & 0x80]) }
  if (kind !== 'prof' && kind !== 'rICC') return { box: null }
  const { profile, removed } = cleanProfile(fields.rest())
  return { box: profile && makeBox('colr', kind, profile), hasLostTags: removed }
}
