import type { ImageItem } from '#app/connection/trpc.ts'
import type { Box } from './timeline/justify.ts'

type Size = Pick<ImageItem, 'width' | 'height'>

/** The aspect ratio of the tile. Very wide and very tall images are cropped to the middle. */
export const clampRatio = ({ width, height }: Size): number => clampShape(width / height)

export const clampShape = (ratio: number): number => Math.min(2.8, Math.max(0.56, ratio))

/** Whether a tile has room for two buttons side by side, of 40 pixels each. One that is not placed is taken for as wide as it is at
 *  least on a phone. Not a container query, with which style and layout of a page of tiles take a quarter longer. */
export const hasRoom = (image: Size, box: Box | null): boolean => (box?.width ?? 100 * clampRatio(image)) >= 88

/** How many images are in view before a list is scrolled, on a phone too. They are loaded at once, and before scripts. */
export const FIRST = 8

/** The `sizes` attribute of a tile's image before it is placed. With `isAuto` the browser takes the width of the tile, but not of one
 *  that is cropped at its sides. Only for an image that is loaded late and never removed: otherwise it takes the width of the window,
 *  and loads an image for that. */
export function writeSizes({ width, height }: Size, isAuto: boolean): string {
  const ratio = width / height
  const [narrow, wide] = [9, 14].map((rem) => `${Math.round(rem * ratio)}rem`)
  return `${isAuto && ratio <= 2.8 ? 'auto, ' : ''}(max-width: 40rem) ${narrow}, ${wide}`
}

/** The same of a tile in its box, which crops its image. */
export const writePlacedSizes = ({ width, height }: Size, box: Box): string =>
  `${Math.ceil(Math.max(box.width, (box.height * width) / height))}px`

/** The classes of a list of tiles in justified rows, which the browser lays out: each tile grows with its aspect ratio. What is
 *  computed (timeline/justify.ts) is the same to the pixel. The list ends with `<TilesEnd />`: a browser that paints a page while it
 *  arrives would otherwise lay out the list again for each part of it, and show a last row that is not the last, and move it. Rows are
 *  higher in wide windows, which would hold a thousand tiles. */
export const rowHeights =
  '[--row:6.25rem] sm:[--row:10.5rem] lg:[--row:11.5rem] min-[112rem]:[--row:13.5rem] min-[150rem]:[--row:18rem]'
export const justified =
  "flex flex-wrap gap-1.5 after:h-0 after:grow-[1000000] after:basis-[calc(var(--row)*1.4)] after:content-[''] not-has-[>[data-end]]:hidden"

/** The style of a tile in `justified`. */
export const growStyle = (ratio: number) =>
  ({ flexGrow: ratio, flexBasis: `calc(var(--row) * ${ratio})`, aspectRatio: ratio }) as const
