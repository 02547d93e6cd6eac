import { formats } from './format.ts'
import { nearestVariant, type VariantWidth } from './variant.ts'

/** A parsed URL under /i/. */
export interface ByteRequest {
  readonly slug: string
  readonly extension: string
  /** The variant that is requested; null for the original. */
  readonly width: VariantWidth | null
  /** The token of a download link (image.download); its answer is saved to disk instead of shown. */
  readonly download: string | null
}

/** The extensions of all formats, as alternatives of a pattern. */
export const byteExtensions = Object.values(formats)
  .map(({ extension }) => extension)
  .join('|')

/** Matches the raw path: encoded or otherwise disguised slugs do not match. */
const ADDRESS = new RegExp(`^/i/([A-Za-z0-9_-]{22})\\.(${byteExtensions})(?:\\?([^#]{0,300}))?$`)

/** Parses a URL; returns null, before any query, for one that no image can have. */
export function parseByteRequest(url: string): ByteRequest | null {
  const [, slug, extension, query] = ADDRESS.exec(url) ?? []
  if (slug === undefined || extension === undefined) return null
  const parameters = parseByteParameters(query)
  return parameters && { slug, extension, ...parameters }
}

/** Parses the query of an image's URL; returns null for a width that is not a number. */
export function parseByteParameters(query: string | undefined): Pick<ByteRequest, 'width' | 'download'> | null {
  const parameters = new URLSearchParams(query)
  const download = parameters.get('download')
  const width = parameters.get('w')
  if (width !== null && !/^[1-9]\d{0,4}$/.test(width)) return null
  return { width: width !== null && download === null ? nearestVariant(Number(width)) : null, download }
}
