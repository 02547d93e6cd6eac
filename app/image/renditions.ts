import type { ImageItem } from '#app/connection/trpc.ts'
import { toPath } from '#app/shell/safe-path.ts'

type Facts = Pick<ImageItem, 'url' | 'variants' | 'width' | 'frames'> & Partial<Pick<ImageItem, 'variantsAwaited'>>

interface Rendition {
  readonly url: string
  /** Pixels. */
  readonly width: number
  readonly moves: boolean
}

/** The attributes of an image element. */
export interface PictureSource {
  readonly src: string
  readonly srcSet?: string
  /** Whether the file is an animation that must be paused, so that only its first frame is shown. */
  readonly freezes: boolean
}

/** Where an image is shown: on a small tile or on its own page. */
export type PictureUse = 'tile' | 'page'

const largestWidth = 1600

/** Returns the files that show an image, paused or playing; null if the viewer may not see it. The original is never among those
 *  of a still image, unless asked for: it may be many times their size, and is charged as a download. */
export function chooseSource(
  image: Facts,
  use: PictureUse,
  isPlaying: boolean,
  isOriginal = false,
): PictureSource | null {
  const { url } = image
  if (url === null) return null
  const renditions = listRenditions({ ...image, url })
  const original: Rendition = { url, width: image.width, moves: false }
  if (image.frames === 1) return sourceFrom(isOriginal ? [...renditions, original] : renditions, false)
  const stills = renditions.filter(({ moves }) => !moves)
  if (!isPlaying && stills.length > 0) return sourceFrom(stills, false)
  return sourceFrom(movingFor({ ...image, url }, renditions, use), !isPlaying)
}

/** Whether an image shown this wide, in CSS pixels, would be sharper as its original than as the largest rendering. */
export function isSharperAsOriginal(image: Facts, shownWidth: number): boolean {
  const { url } = image
  if (url === null || image.frames > 1) return false
  const largest = listRenditions({ ...image, url }).at(-1)?.width ?? image.width
  return largest < image.width && shownWidth > largest
}

/** Whether an animation moves on a tile without the original being loaded for it. */
export const movesCheaply = (image: Facts): boolean => (image.variants ?? []).some(({ moves }) => moves)

/**
 * Returns the variants and, if the largest is smaller than the image, the URL of the largest possible one. There the
 * server sends the original if it has fewer bytes than the variant would, and counts it as a view. Variants that are still being
 * made are left out.
 */
function listRenditions({
  url,
  variants,
  variantsAwaited,
  width,
  frames,
}: Facts & { url: string }): readonly Rendition[] {
  const largest = variants?.at(-1)
  const isLargest = largest?.width === width || largest?.url.endsWith(`?w=${largestWidth}`)
  const full: Rendition = { url: `${url}?w=${largestWidth}`, width, moves: frames > 1 }
  return [...(variants ?? []), ...(isLargest || variantsAwaited ? [] : [full])]
}

/** Returns the smallest animated file for a tile, and the sharp ones for a page, which may be the original only. */
function movingFor(
  image: Facts & { url: string },
  renditions: readonly Rendition[],
  use: PictureUse,
): readonly Rendition[] {
  const moving = renditions.filter(({ moves }) => moves)
  const original: Rendition = { url: image.url, width: image.width, moves: true }
  if (use === 'tile') return [moving[0] ?? original]
  const isSharp = (moving.at(-1)?.width ?? 0) >= Math.min(image.width, largestWidth)
  return isSharp ? moving : [original]
}

function sourceFrom(renditions: readonly Rendition[], freezes: boolean): PictureSource | null {
  const [first] = renditions
  if (!first) return null
  const srcSet = renditions.map(({ url, width }) => `${toPath(url)} ${width}w`).join(', ')
  return { src: toPath(first.url), ...(renditions.length > 1 ? { srcSet } : {}), freezes }
}
