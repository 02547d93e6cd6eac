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

export interface PartReference {
  readonly type: (typeof referenceTypes)[number]
  /** Indices among the parts. */
  readonly to: readonly number[]
}

/** From a grid to its tiles, from an alpha plane to its picture, from a premultiplied picture to its alpha plane. */
const referenceTypes = ['dimg', 'auxl', 'prem'] as const

/** Returns the primary item, the tiles of its grid and the alpha planes of all of these, the primary first. Thumbnails,
 *  depth maps, gain maps and alternatives are left out. Throws BoxRefusal unless all are AV1 pictures or grids of
 *  such. */
export function selectParts(items: Items): PictureItem[] {
  const graph = readGraph(items)
  const clean = propertyCleaner()
  const cleaned = new Map<number, CleanProperties>()
  const loadProperties = (id: number): CleanProperties => {
    const properties = cleaned.get(id) ?? clean(pictureItem(items, id).properties)
    cleaned.set(id, properties)
    return properties
  }
  const listTiles = (id: number) => {
    const tiles = pictureItem(items, id).type === 'grid' ? graph.targets('dimg', id) : []
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
    if (tiles.some((id) => pictureItem(items, id).type === 'grid')) throw new BoxRefusal('unsupported')
    return [...ids, ...tiles]
  }

  const masters = withTiles([items.primary])
  const decoded = [...masters, ...withTiles(masters.flatMap(listAlphaPlanes))]
  const ids = [...new Set(decoded)]
  const indices = new Map(ids.map((id, index) => [id, index]))
  return ids.map((id) => ({
    item: pictureItem(items, id),
    properties: loadProperties(id),
    references: referenceTypes.flatMap((type) => {
      const to = graph.targets(type, id).flatMap((target) => indices.get(target) ?? [])
      return to.length > 0 ? { type, to } : []
    }),
    uses: decoded.filter((other) => other === id).length,
  }))
}

const isPicture = (item: MetaItem | undefined): boolean => item?.type === 'av01' || item?.type === 'grid'

function pictureItem(items: Items, id: number): MetaItem {
  const item = items.byId.get(id)
  if (!item) throw new BoxRefusal('undecodable')
  if (!isPicture(item) || item.isProtected) throw new BoxRefusal('unsupported')
  return item
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
