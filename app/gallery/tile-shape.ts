import type { ImageItem } from '#app/connection/trpc.ts'

type Size = Pick<ImageItem, 'width' | 'height'>

/** The aspect ratio of the tile. Very wide and very tall images are cropped to the middle. */
export const clampRatio = ({ width, height }: Size): number => clampShape(width / height)

export const clampShape = (ratio: number): number => Math.min(2.8, Math.max(0.56, ratio))

/** How many images are in view before a list is scrolled, on a phone too. They are loaded at once, and before scripts. */
export const FIRST = 8

/** The `sizes` attribute of a tile's image. The browser knows the width of a tile where it loads the image late, but not of one that
 *  is cropped at its sides. For an image loaded at once, it takes `auto` to be the width of the window. */
export function writeSizes({ width, height }: Size, isFirst: boolean): string {
  const ratio = width / height
  const [narrow, wide] = [9, 14].map((rem) => `${Math.round(rem * ratio)}rem`)
  return `${isFirst || ratio > 2.8 ? '' : 'auto, '}(max-width: 40rem) ${narrow}, ${wide}`
}

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
