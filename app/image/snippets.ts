import type { ImageItem } from '#app/connection/trpc.ts'

/** The formats of a link, in the order in which they are offered. */
export const linkFormats = ['image', 'page', 'markdown', 'html', 'bbcode', 'rst'] as const

/** `image` is the link to the image itself, `page` the link to its page. */
export type LinkFormat = (typeof linkFormats)[number]

export interface Linked {
  readonly url: string
  readonly slug: string
  readonly title: string
  readonly width: number
  readonly height: number
}

/** Returns what an image's link is made of; null if the viewer may not open the image, or if it is in the trash. */
export function toLinked({ url, slug, title, width, height, trashedAt }: ImageItem): Linked | null {
  return url === null || slug === null || title === null || trashedAt !== null
    ? null
    : { url, slug, title, width, height }
}

/** Returns the link to an image, or the code that embeds it. The title is untrusted text and is escaped in each format. */
export function writeLink(image: Linked, format: LinkFormat): string {
  const line = image.title.replace(/\s+/g, ' ').trim()
  return writers[format]({ ...image, line })
}

const writers: Readonly<Record<LinkFormat, (image: Linked & { readonly line: string }) => string>> = {
  image: ({ url }) => url,
  page: ({ url, slug }) => new URL(`/image/${slug}`, url).href,
  markdown: ({ url, line }) => `![${line.replace(/[\\[\]*_`<>&!]/g, '\\$&')}](${url})`,
  html: ({ url, line, width, height }) =>
    `<img src="${escapeHtml(url)}" alt="${escapeHtml(line)}" width="${width}" height="${height}">`,
  bbcode: ({ url }) => `[img]${url}[/img]`,
  // Options of a directive are plain text: nothing in them is markup.
  rst: ({ url, line }) => (line === '' ? `.. image:: ${url}` : `.. image:: ${url}\n   :alt: ${line}`),
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
