import { joined, makeFullBox } from '#server/cleaning/avif/iso-boxes.ts'
import { type AvifItem, makeAvif } from './tainted-avif.ts'

/** A grid of `side` x `side` copies of a picture that shows this size of them. */
export function avifGrid(tile: AvifItem, side: number, width: number, height: number): Buffer {
  const data = joined([
    [2, 1],
    [1, side - 1],
    [1, side - 1],
    [4, width],
    [4, height],
  ])
  const tiles = Array.from({ length: side ** 2 }, (_, index) => 2 + index)
  const properties = [{ box: makeFullBox('ispe', 0, [4, width], [4, height]) }]
  return makeAvif([
    { id: 1, type: 'grid', data, properties, references: [['dimg', ...tiles]] },
    ...tiles.map((id) => ({ ...tile, id, isHidden: true })),
  ])
}
