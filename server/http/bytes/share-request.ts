import { type ByteRequest, byteExtensions, parseByteParameters } from '#server/images/byte-request.ts'

/** A parsed URL under /i/s/: bytes of an image of a share, or a zip of its originals. */
export type ShareRequest = { readonly key: string } & (
  | { readonly kind: 'image'; readonly name: string; readonly asked: Omit<ByteRequest, 'slug'> }
  /** `part` counts from 0. */
  | { readonly kind: 'zip'; readonly part: number }
)

const PREFIX = '/i/s/'

/** Matches the raw path, as for images: encoded names do not match. */
const IMAGE = new RegExp(`^/i/s/([A-Za-z0-9_-]{43})/([A-Za-z0-9_-]{22})\\.(${byteExtensions})(?:\\?([^#]{0,300}))?$`)
const ZIP = /^\/i\/s\/([A-Za-z0-9_-]{43})\/zip(?:\?part=([1-9]\d{0,4}))?$/

export const isShareRequest = (url: string): boolean => url.startsWith(PREFIX)

/** Parses a URL; returns null, before any query, for one that nothing of a share can have. */
export function parseShareRequest(url: string): ShareRequest | null {
  const [, zipKey, part = '1'] = ZIP.exec(url) ?? []
  if (zipKey !== undefined) return { kind: 'zip', key: zipKey, part: Number(part) - 1 }
  const [, key, name, extension, query] = IMAGE.exec(url) ?? []
  if (key === undefined || name === undefined || extension === undefined) return null
  const parameters = parseByteParameters(query)
  return parameters && { kind: 'image', key, name, asked: { extension, ...parameters } }
}
