import type { ImageItem } from '#app/connection/trpc.ts'

type Size = Pick<ImageItem, 'width' | 'height'>

/** The aspect ratio of the tile. Very wide and very tall images are cropped to the middle. */
export const clampRatio = ({ width, height }: Size): number => Math.min(2.8, Math.max(0.56, width / height))

/** The browser knows the width of a tile, but not of an image that is cropped at its sides. */
export const writeSizes = ({ width, height }: Size): string =>
  width / height > 2.8 ? `${Math.round((14 * width) / height)}rem` : `auto, ${Math.round(14 * (width / height))}rem`

/** The classes of a list of tiles in justified rows. The browser lays them out: each tile grows with its aspect ratio. */
export const rowHeights = '[--row:6.25rem] sm:[--row:10.5rem] lg:[--row:11.5rem]'
export const justified =
  "flex flex-wrap gap-1.5 after:h-0 after:grow-[1000] after:basis-[calc(var(--row)*1.4)] after:content-['']"
