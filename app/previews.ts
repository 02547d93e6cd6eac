import type { Metadata } from 'next'
import type { Preview } from '#server/previews/preview.ts'

interface Page {
  /** Shown where the preview has no title of its own. */
  readonly title: string
  readonly siteName: string
}

/** Returns what the head of a page tells programs that preview links, and search engines; without a preview, nothing but its title. A
 *  description of the site would stand for the picture's, so there is none. */
export function previewMetadata(preview: Preview | null, { title: ownTitle, siteName }: Page): Metadata {
  if (!preview) return { title: ownTitle, description: null, robots: { index: false } }
  const { description, pictures, url, isPublic, oembedUrl } = preview
  const title = preview.title || ownTitle
  const picture = pictures.at(-1)
  const images = picture && [
    { url: picture.url, width: picture.width, height: picture.height, type: picture.mime, alt: title },
  ]
  const about = { title, ...(description && { description }), ...(images && { images }) }
  return {
    title,
    description: description || null,
    // Only links lead to what is not public.
    ...(!isPublic && { robots: { index: false } }),
    alternates: {
      ...(isPublic && { canonical: url }),
      types: { 'application/json+oembed': [{ url: oembedUrl, title }] },
    },
    openGraph: { type: 'website', siteName, ...about, ...(isPublic && { url }) },
    twitter: { card: picture ? 'summary_large_image' : 'summary', ...about },
  }
}

interface ShownProfile {
  readonly name: string
  readonly displayName: string | null
  readonly picture: string | null
  readonly line: string
}

/** Returns the same for a user's profile, by their picture. */
export function profileMetadata(
  { name, displayName, picture, line }: ShownProfile,
  { siteName, origin }: { readonly siteName: string; readonly origin: string },
): Metadata {
  const url = `${origin}/u/${name}`
  const title = displayName ?? name
  const images = picture === null ? null : [{ url: `${origin}${picture}`, width: 256, height: 256, alt: title }]
  const about = { title, ...(line && { description: line }), ...(images && { images }) }
  return {
    title,
    description: line || null,
    alternates: { canonical: url },
    openGraph: { type: 'profile', siteName, url, ...about },
    twitter: { card: 'summary', ...about },
  }
}
