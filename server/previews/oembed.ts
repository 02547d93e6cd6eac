import { sizeWithin } from '#server/images/variant.ts'
import type { Preview } from './preview.ts'
import type { PreviewPicture } from './preview-pictures.ts'

/** The largest embedding that a program asks for, in pixels. */
export interface Bounds {
  readonly maxWidth: number
  readonly maxHeight: number
}

/** Returns the answer of oEmbed 1.0 (https://oembed.com, section 2.3.4): an image as a photo, an album or several shared images as a
 *  link with a thumbnail. */
export function toOembed(preview: Preview, bounds: Bounds, site: { readonly name: string; readonly origin: string }) {
  const { kind, title, author, pictures } = preview
  const picture = choosePicture(pictures, bounds)
  const facts = {
    version: '1.0',
    ...(title && { title }),
    ...(author !== null && { author_name: author }),
    provider_name: site.name,
    provider_url: site.origin,
  }
  if (!picture) return { type: 'link', ...facts }
  const { url, width, height } = picture
  if (kind === 'image') return { type: 'photo', ...facts, url, width, height }
  return { type: 'link', ...facts, thumbnail_url: url, thumbnail_width: width, thumbnail_height: height }
}

/** Returns the largest picture within the bounds; if none is, the smallest, with the size at which it is to be shown. */
function choosePicture(
  pictures: readonly PreviewPicture[],
  { maxWidth, maxHeight }: Bounds,
): PreviewPicture | undefined {
  const fitting = pictures.findLast(({ width, height }) => width <= maxWidth && height <= maxHeight)
  if (fitting) return fitting
  const [smallest] = pictures
  return smallest && { ...smallest, ...sizeWithin(smallest, { width: maxWidth, height: maxHeight }) }
}
