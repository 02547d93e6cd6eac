import { MAX_FRAMES } from '../caps.ts'
import type { Items, MetaItem } from './avif-items.ts'
import { type CleanProperties, propertyCleaner } from './avif-properties.ts'
import { BoxRefusal } from './iso-boxes.ts'

/** An item that is part of the primary picture. */
export interface PictureItem {
  readonly item: MetaItem
  readonly properties: CleanProperties
  readonly references: readonly PartReference[]
  /** How often it is decoded: a grid may use one tile many times. */
  readonly uses: number
}

/** How coded items are recognized. */
export interface ItemCoding {
  readonly type: 'av01' | 'hvc1'
  /** The property that a decoder needs, if it stays as it is. */
  readonly configuration?: string
}

export interface PartReference {
  readonly type: (typeof referenceTypes)[number]
  /** Indices among the parts. */
  readonly to: readonly number[]
}

/** From a grid to its tiles, from an alpha plane to its picture, from a premultiplied picture to its alpha plane. */
const referenceTypes = ['dimg', 'auxl', 'prem'] as const

/** Returns the primary item, the tiles of its grid and the alpha planes of all of these, the primary first. Thumbnails,
 *  depth maps, gain maps and alternatives are left out. Throws BoxRefusal unless all are pictures of that coding or grids
 *  of such. */
export function selectParts(items: Items, coding: ItemCoding): PictureItem[] {
  const graph = readGraph(items)
  const isPicture = (item: MetaItem | undefined): boolean => item?.type === coding.type || item?.type === 'grid'
  const picture = (id: number): MetaItem => {
    const item = items.byId.get(id)
    if (!item) throw new BoxRefusal('undecodable')
    if (!isPicture(item) || item.isProtected) throw new BoxRefusal('unsupported')
    return item
  }
  const clean = propertyCleaner(coding.configuration)
  const cleaned = new Map<number, CleanProperties>()
  const loadProperties = (id: number): CleanProperties => {
    const properties = cleaned.get(id) ?? clean(picture(id).properties)
    cleaned.set(id, properties)
    return properties
  }
  const listTiles = (id: number) => {
    const tiles = picture(id).type === 'grid' ? graph.targets('dimg', id) : []
    // Checked before they are joined: many alpha planes may share one grid of as many tiles.
    if (tiles.length > MAX_FRAMES) throw new BoxRefusal('too-many-pixels')
    return tiles
  }
  const listAlphaPlanes = (id: number) => {
    const coded = graph.listAuxiliaries(id).filter((auxiliary) => isPicture(items.byId.get(auxiliary)))
    const alphas = coded.filter((auxiliary) => loadProperties(auxiliary).isAlpha)
    // With several, decoders differ in which they use.
    if (alphas.length > 1) throw new BoxRefusal('unsupported')
    return alphas
  }
  const withTiles = (ids: readonly number[]) => {
    const tiles = ids.flatMap(listTiles)
    if (tiles.length > MAX_FRAMES) throw new BoxRefusal('too-many-pixels')
    if (tiles.some((id) => picture(id).type === 'grid')) throw new BoxRefusal('unsupported')
    return [...ids, ...tiles]
  }

  const masters = withTiles([items.primary])
  const decoded = [...masters, ...withTiles(masters.flatMap(listAlphaPlanes))]
  const ids = [...new Set(decoded)]
  const indices = new Map(ids.map((id, index) => [id, index]))
  return ids.map((id) => ({
    item: picture(id),
    properties: loadProperties(id),
    references: referenceTypes.flatMap((type) => {
      const to = graph.targets(type, id).flatMap((target) => indices.get(target) ?? [])
      return to.length > 0 ? { type, to } : []
    }),
    uses: decoded.filter((other) => other === id).length,
  }))
}

function readGraph({ references }: Items) {
  const targets = new Map<string, readonly number[]>()
  const auxiliaries = new Map<number, number[]>()
  for (const { type, from, to } of references) {
    if (!referenceTypes.some((known) => known === type)) continue
    const key = `${type} ${from}`
    if (targets.has(key)) throw new BoxRefusal('undecodable')
    targets.set(key, to)
    if (type !== 'auxl') continue
    for (const master of new Set(to)) {
      const others = auxiliaries.get(master)
      if (others) others.push(from)
      else auxiliaries.set(master, [from])
    }
  }
  return {
    targets: (type: PartReference['type'], id: number) => targets.get(`${type} ${id}`) ?? [],
    listAuxiliaries: (id: number) => auxiliaries.get(id) ?? [],
  }
}
