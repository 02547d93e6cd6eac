/** Widths of the smaller renderings, in pixels: a thumbnail and a page view. A closed list: nobody may ask for others. */
export const variantWidths = [400, 1600] as const

export type VariantWidth = (typeof variantWidths)[number]

/** WebP ends at 16,383 pixels; a thumbnail four times as high as wide is high enough for any grid. */
export const variantHeights: Record<VariantWidth, number> = { 400: 1_600, 1600: 16_000 }

/** The width that is nearest to what was asked for. */
export function nearestVariant(width: number): VariantWidth {
  return variantWidths.reduce((best, next) => (Math.abs(next - width) < Math.abs(best - width) ? next : best))
}
