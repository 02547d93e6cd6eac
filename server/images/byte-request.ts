import { formats } from './format.ts'
import { nearestVariant, type VariantWidth } from './variant.ts'

/** What an address under /i/ asks for. */
export interface ByteRequest {
  readonly slug: string
  readonly extension: string
  /** A smaller rendering instead of the original. */
  readonly width: VariantWidth | null
  /** The token of a link that image.download made; the answer is saved, not shown. */
  readonly download: string | null
}

const EXTENSIONS = Object.values(formats)
  .map(({ extension }) => extension)
  .join('|')

/** The path is matched as it came, so that nothing encoded, doubled or escaped ever means a slug. */
const ADDRESS = new RegExp(`^/i/([A-Za-z0-9_-]{22})\\.(${EXTENSIONS})(?:\\?([^#]{0,300}))?$`)

/** Reads an address; null for whatever no image can have, before anything is asked of the database or the store. */
export function parseByteRequest(url: string): ByteRequest | null {
  const [, slug, extension, query] = ADDRESS.exec(url) ?? []
  if (slug === undefined || extension === undefined) return null
  const parameters = new URLSearchParams(query)
  const download = parameters.get('download')
  const width = parameters.get('w')
  if (width !== null && !/^[1-9]\d{0,4}$/.test(width)) return null
  const wantsVariant = width !== null && download === null
  return { slug, extension, width: wantsVariant ? nearestVariant(Number(width)) : null, download }
}
