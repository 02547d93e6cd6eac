/** Widths of variants in pixels: a thumbnail, a small and a large page view. A closed list, so that clients cannot request
 *  arbitrary sizes. */
export const variantWidths = [400, 800, 1600] as const

export type VariantWidth = (typeof variantWidths)[number]

/** The largest variant that is charged to `view` alone; sent in place of a larger one without enough permits. */
export const SMALL_WIDTH: VariantWidth = 800

export interface Size {
  readonly width: number
  readonly height: number
}

/** At most four times as high as wide for the smaller ones; WebP is limited to 16,383 pixels. */
const variantHeights: Record<VariantWidth, number> = { 400: 1_600, 800: 3_200, 1600: 16_000 }

/** Returns the box in pixels that a variant fits into; a smaller picture keeps its size. */
export const variantBox = (width: VariantWidth): Size => ({ width, height: variantHeights[width] })

/** Returns whether the variant for `width` of a picture of this size is not scaled down. */
export const holdsWhole = (width: VariantWidth, size: Size): boolean =>
  size.width <= width && size.height <= variantHeights[width]

/** Returns the variant widths for a picture: up to the first that does not scale it down, as the next would be no larger. */
export function widthsFor(size: Size): VariantWidth[] {
  const last = variantWidths.findIndex((width) => holdsWhole(width, size))
  return variantWidths.slice(0, last === -1 ? undefined : last + 1)
}

/** The most bytes of a still variant of this size: fewer than its image has, and no more than pure noise takes. A larger one is
 *  left out, so that room can be reserved for it before it is made. */
export const maxStillBytes = ({ width, height }: Size, channels: number, imageBytes: number): number =>
  Math.min(imageBytes - 1, 4_096 + width * height * (channels % 2 === 0 ? 3 : 2))

/** Returns the size of a picture scaled down to fit into a box. */
export function sizeWithin(size: Size, box: Size): Size {
  const share = Math.min(1, box.width / size.width, box.height / size.height)
  return { width: Math.max(1, Math.round(size.width * share)), height: Math.max(1, Math.round(size.height * share)) }
}

/** Returns the variant width nearest to the requested one. */
export function nearestVariant(width: number): VariantWidth {
  return variantWidths.reduce((best, next) => (Math.abs(next - width) < Math.abs(best - width) ? next : best))
}
