import { imageUrl } from '#server/images/image-url.ts'
import type { UploadAnswer } from '#server/images/uploading/upload-answer.ts'
import type { Stored } from './shape.ts'

/** Links for clients to paste, under the names that Lsky Pro uses. */
export interface Links {
  readonly url: string
  readonly html: string
  readonly bbcode: string
  readonly markdown: string
  readonly markdown_with_link: string
  /** Null for a link that is protected. */
  readonly thumbnail_url: string | null
  readonly delete_url: string | null
}

/** The address of an image's page. */
export const pageUrl = (origin: string, { slug }: Pick<UploadAnswer, 'slug'>): string => `${origin}/image/${slug}`

/** Returns what the sender is given to pass on: the share that was asked for, or the image's address. */
export const sentUrl = ({ image, share }: Pick<Stored, 'image' | 'share'>): string => share?.url ?? image.url

/** Returns the address of a thumbnail; null for an image that only a share shows. */
export const sentThumbnail = ({ image, share }: Pick<Stored, 'image' | 'share'>): string | null =>
  share ? null : image.thumbnailUrl

/** Returns a stored file's links, plain and in the usual markup languages. A share is a page and no picture. */
export function makeLinks(origin: string, { image, deletionUrl, share }: Stored): Links {
  const name = image.filename
  const text = name.replace(/[\\[\]`*_<>]/g, String.raw`\$&`)
  if (share) {
    const { url } = share
    const markdown = `[${text}](${url})`
    const html = `<a href="${url}">${escapeHtml(name)}</a>`
    const markup = { html, bbcode: `[url=${url}]${name}[/url]`, markdown, markdown_with_link: markdown }
    return { url, ...markup, thumbnail_url: null, delete_url: deletionUrl }
  }
  const url = imageUrl(origin, image)
  const markdown = `![${text}](${url})`
  return {
    url,
    html: `<img src="${url}" alt="${escapeHtml(name)}">`,
    bbcode: `[img]${url}[/img]`,
    markdown,
    markdown_with_link: `[${markdown}](${url})`,
    thumbnail_url: image.thumbnailUrl,
    delete_url: deletionUrl,
  }
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
