import { imageUrl } from '#server/images/image-url.ts'
import type { UploadAnswer } from '#server/images/uploading/upload-answer.ts'

/** Links for clients to paste, under the names that Lsky Pro uses. */
export interface Links {
  readonly url: string
  readonly html: string
  readonly bbcode: string
  readonly markdown: string
  readonly markdown_with_link: string
  readonly thumbnail_url: string
  readonly delete_url: string | null
}

/** The address of an image's page. */
export const pageUrl = (origin: string, { slug }: Pick<UploadAnswer, 'slug'>): string => `${origin}/image/${slug}`

/** Returns an image's links, plain and in the usual markup languages. */
export function makeLinks(origin: string, image: UploadAnswer, deletionUrl: string | null): Links {
  const url = imageUrl(origin, image)
  const name = image.filename
  const markdown = `![${name.replace(/[\\[\]`*_<>]/g, String.raw`\$&`)}](${url})`
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
