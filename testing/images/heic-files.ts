import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { joined, makeBox, makeFullBox } from '#server/cleaning/avif/iso-boxes.ts'
import { type AvifItem, type AvifProperty, type AvifShape, avifItems, makeAvif } from './tainted-avif.ts'

/** Files of scripts/heic-fixtures.ts: quarters of red, green, blue and white, 128 x 96, the last two in 10 bits and with a
 *  transparent lower half; and 4,096 x 4,096 pixels of one colour. */
export type HeicName = 'plain' | 'deep' | 'transparent' | 'vast'

export const heicFile = (name: HeicName = 'plain'): Buffer =>
  readFileSync(join(import.meta.dirname, 'heic', `${name}.heic`))

/** Writes any HEIC, valid or not. */
export const makeHeic = (items: readonly AvifItem[], shape: AvifShape = {}): Buffer =>
  makeAvif(items, { brands: 'heic\0\0\0\0mif1heic', ...shape })

/** Returns the coded picture of a file. */
export function heicItem(name: HeicName = 'plain'): AvifItem {
  const [item] = avifItems(heicFile(name))
  if (!item) throw new Error('no items')
  return item
}

export const without = (item: AvifItem, ...types: readonly string[]): readonly AvifProperty[] =>
  (item.properties ?? []).filter(({ box }) => !types.includes(box.toString('latin1', 4, 8)))

/** Returns the picture with further properties. */
export function heicWith(boxes: readonly Buffer[], name: HeicName = 'plain'): Buffer {
  const item = heicItem(name)
  return makeHeic([{ ...item, properties: [...without(item, 'colr'), ...boxes.map((box) => ({ box }))] }])
}

export const extent = (width: number, height: number): Buffer => makeFullBox('ispe', 0, [4, width], [4, height])

/** A grid of copies of the picture, as phones write it, that claims a size. */
export function heicGrid(columns: number, rows: number, { width = 128 * columns, height = 96 * rows } = {}): Buffer {
  const tile = heicItem()
  const tiles = Array.from({ length: columns * rows }, (_, index) => ({ ...tile, id: index + 2, isHidden: true }))
  const data = joined([
    [1, 0],
    [1, 1],
    [1, rows - 1],
    [1, columns - 1],
    [4, width],
    [4, height],
  ])
  const references = [['dimg', ...tiles.map(({ id }) => id)]] as const
  return makeHeic([{ id: 1, type: 'grid', data, references, properties: [{ box: extent(width, height) }] }, ...tiles])
}

export const nclx = (primaries: number, transfer: number, matrix = 6): Buffer =>
  makeBox('colr', 'nclx', [2, primaries], [2, transfer], [2, matrix], [1, 0x80])
