/** Widths of the smaller renderings, in pixels: a thumbnail, a small page view and a large one. A closed list: nobody may ask for others. */
export const variantWidths = [400, 800, 1600] as const

export type VariantWidth = (typeof variantWidths)[number]

/** The largest variant that is charged to `view` alone; sent in place of a larger one whose permits are lacking. */
export const SMALL_WIDTH: VariantWidth = 800

export interface Size {
  readonly width: number
  readonly height: number
}

/** WebP ends at 16,383 pixels; a thumbnail four times as high as wide is high enough for any grid. */
const variantHeights: Record<VariantWidth, number> = { 400: 1_600, 800: 3_200, 1600: 16_000 }

/** The box that a rendering is made to fit in, in pixels; a smaller picture keeps its size. */
export const variantBox = (width: VariantWidth): Size => ({ width, height: variantHeights[width] })

/** Whether a rendering for `width` has every pixel of a picture of that size. */
export const holdsWhole = (width: VariantWidth, size: Size): boolean =>
  size.width <= width && size.height <= variantHeights[width]

/** The renderings that a picture is given: up to the first that holds it whole, for the next would be no larger. */
export function widthsFor(size: Size): VariantWidth[] {
  const last = variantWidths.findIndex((width) => holdsWhole(width, size))
  return variantWidths.slice(0, last === -1 ? undefined : last + 1)
}

/** The size of a picture that has been made to fit in a box. */
export function sizeWithin(size: Size, box: Size): Size {
  const share = Math.min(1, box.width / size.width, box.height / size.height)
  return { width: Math.max(1, Math.round(size.width * share)), height: Math.max(1, Math.round(size.height * share)) }
}

/** The width that is nearest to what was asked for. */
export function nearestVariant(width: number): VariantWidth {
  return variantWidths.reduce((best, next) => (Math.abs(next - width) < Math.abs(best - width) ? next : best))
}
