import { readdir } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'

/** Build assets: their names change with their content. */
const ASSETS = '/_next/static/'

/** Icons may change with a release and keep their names. */
const PUBLIC_CACHE = 'public, max-age=86400'

/** Headers that make Next's file server fail with 412 or 416, for which it renders an error page. Browsers need none of them. */
const CONDITIONS = ['range', 'if-range', 'if-match', 'if-unmodified-since'] as const

/** Files that Next serves as they are. They are not charged, so no request that renders a page may count as one. */
export class StaticFiles {
  readonly #publicFiles: ReadonlySet<string>

  private constructor(publicFiles: ReadonlySet<string>) {
    this.#publicFiles = publicFiles
  }

  /** Lists `public/` once, as Next does. */
  static async read(dir: string): Promise<StaticFiles> {
    const folder = join(dir, 'public')
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    return new StaticFiles(new Set(files.map((file) => file.slice(folder.length))))
  }

  /** `path` is the request's path as sent, without its query. */
  has(path: string): boolean {
    return path.startsWith(ASSETS) || this.#publicFiles.has(path)
  }

  /** Leaves Next two answers: the whole file, or 304. */
  prepare(path: string, req: IncomingMessage, res: ServerResponse): void {
    for (const name of CONDITIONS) delete req.headers[name]
    if (this.#publicFiles.has(path)) res.setHeader('Cache-Control', PUBLIC_CACHE)
  }
}
