import { brandRenderings } from '#server/images/brand.ts'
import type { Services } from '#server/services.ts'
import { readImageFile } from '#server/site/image-rows.ts'
import type { EncodedAsset } from './assets.ts'

/** The files of the logo and the icon: `/brand/<digest>/<rendering>.png`. */
const ADDRESS = new RegExp(`^/brand/([0-9a-f]{32})/(${brandRenderings.join('|')})\\.png$`)

/** Files kept in memory, of at most some hundred kilobytes each. */
const MOST = 32

/** Returns a reader of the file at a path; null for a path that has none. */
export function createBrandFiles({ db }: Pick<Services, 'db'>): (path: string) => Promise<EncodedAsset | null> {
  const known = new Map<string, EncodedAsset>()
  return async (path) => {
    const kept = known.get(path)
    if (kept) return kept
    const [, hash = '', asked] = ADDRESS.exec(path) ?? []
    const name = brandRenderings.find((rendering) => rendering === asked)
    const file = name ? await readImageFile(db, hash, name) : null
    if (!file) return null
    const body = Buffer.from(file.bytes)
    const etag = `"${path.split('/').slice(2).join('-')}"`
    const headers = {
      'Content-Type': file.mime,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Length': String(body.length),
      ETag: etag,
    }
    const asset = { body, headers, validators: { etag, lastModified: file.createdAt } }
    const [oldest] = known.keys()
    if (known.size >= MOST && oldest !== undefined) known.delete(oldest)
    known.set(path, asset)
    return asset
  }
}
