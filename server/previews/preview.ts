import type { AlbumItem } from '#server/albums/album-item.ts'
import type { ImageItem } from '#server/images/image-item.ts'
import type { ShownShare } from '#server/sharing/show-share.ts'
import { listPictures, type PreviewPicture } from './preview-pictures.ts'
import { previewDescription, previewLine } from './preview-text.ts'

/**
 * What programs that preview links are told about an image, an album or a share: in the head of its page, and by oEmbed. It says
 * no more than the page shows to everybody who has the link, and nothing of what is private.
 */
export interface Preview {
  readonly kind: 'image' | 'images'
  /** '' for none. */
  readonly title: string
  readonly description: string
  /** The smallest first; none of an album without images. */
  readonly pictures: readonly PreviewPicture[]
  /** The owner's display name; null for one who shows none, and for shares. */
  readonly author: string | null
  readonly url: string
  /** Whether search engines may list the page under its URL. */
  readonly isPublic: boolean
  readonly oembedUrl: string
}

export const OEMBED_PATH = '/api/oembed'

/** Returns the preview of an image; null for one that is private or in the trash, its owner's own included. */
export function previewImage(origin: string, image: ImageItem): Preview | null {
  const { slug, url: original, variants, visibility, trashedAt, title, description, owner } = image
  if (slug === null || original === null || variants === null) return null
  if (visibility === 'private' || trashedAt !== null) return null
  const url = `${origin}/image/${slug}`
  return {
    kind: 'image',
    ...toText({ title, description }),
    pictures: listPictures({ ...image, url: original, variants }),
    author: owner.name,
    ...{ url, isPublic: visibility === 'public', oembedUrl: toOembedUrl(origin, url) },
  }
}

/** Returns the preview of an album by its cover; null for a private one. */
export function previewAlbum(origin: string, album: AlbumItem): Preview | null {
  const { url, visibility, cover, owner } = album
  if (visibility === 'private') return null
  const { url: original = null, variants = null } = cover ?? {}
  return {
    kind: 'images',
    ...toText(album),
    pictures: cover && original !== null && variants ? listPictures({ ...cover, url: original, variants }) : [],
    author: owner.name,
    ...{ url, isPublic: visibility === 'public', oembedUrl: toOembedUrl(origin, url) },
  }
}

/** Returns the preview of what a page of a share shows, by its first image; null without one. `at` is an image that is shown alone.
 *  Only for a share that everybody with its link may see. */
export function previewShare(
  origin: string,
  share: ShownShare,
  { token, at }: { readonly token: string; readonly at: number | null },
): Preview | null {
  const [first] = share.images
  if (!first) return null
  const isImage = at !== null || share.count === 1
  const url = `${origin}/s/${token}${at === null ? '' : `?at=${at}`}`
  return {
    kind: isImage ? 'image' : 'images',
    ...toText({
      title: (isImage && first.title) || share.title,
      description: (isImage && first.description) || share.description,
    }),
    pictures: listPictures(first),
    author: null,
    ...{ url, isPublic: false, oembedUrl: toOembedUrl(origin, url) },
  }
}

const toText = ({ title, description }: { readonly title: string | null; readonly description: string | null }) => ({
  title: previewLine(title ?? ''),
  description: previewDescription(description ?? ''),
})

const toOembedUrl = (origin: string, url: string): string =>
  `${origin}${OEMBED_PATH}?url=${encodeURIComponent(url)}&format=json`
