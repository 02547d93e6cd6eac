import type { ImageItem } from '#app/connection/trpc.ts'

/** How large an image is shown: whole, as wide as the stage but at most in full size, or by CSS pixels per pixel. */
export type Zoom = 'fit' | 'width' | number

type Size = Pick<ImageItem, 'width' | 'height'>

/** An image that cannot be read when the whole of it is shown, such as a screenshot of a long page. */
export const isTall = ({ width, height }: Size): boolean => height >= 1_200 && height >= 2.5 * width

/** The zoom before the viewer chooses one. */
export const firstZoom = (size: Size): Zoom => (isTall(size) ? 'width' : 'fit')

/** The CSS width of an image on a stage with the maximum height `--stage`. */
export function writeWidth({ width, height }: Size, zoom: Zoom): string {
  if (zoom === 'fit') return `min(100%, ${width}px, calc(var(--stage) * ${width / height}))`
  return zoom === 'width' ? `min(100%, ${width}px)` : `${width * zoom}px`
}

/** The `sizes` attribute: on wide windows the panel is beside the stage, whose margins and height stage.tsx sets. */
export function writeSizes({ width, height }: Size, zoom: Zoom): string {
  if (typeof zoom === 'number') return `${Math.ceil(width * zoom)}px`
  if (zoom === 'width') return `(min-width: 64rem) min(100vw - 22.5rem, ${width}px), min(100vw, ${width}px)`
  const ratio = (width / height).toFixed(4)
  const wide = `min(100vw - 25.5rem, (100vh - 6.5rem) * ${ratio}, ${width}px)`
  return `(min-width: 64rem) ${wide}, min(100vw, 68vh * ${ratio}, ${width}px)`
}
