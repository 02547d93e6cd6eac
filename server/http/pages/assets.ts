import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Validators } from '../bytes/conditional.ts'
import { wholeSeconds } from '../bytes/http-date.ts'

/** Build assets: their names change with their content. */
export const BUILD_ASSETS = '/_next/static/'

const IMMUTABLE = 'public, max-age=31536000, immutable'
/** Icons may change with a release and keep their names. */
const PUBLIC_CACHE = 'public, max-age=86400'

/** Content types by extension, and whether compression makes such a file smaller. */
const TYPES: Readonly<Record<string, readonly [type: string, isText: boolean]>> = {
  '.css': ['text/css; charset=utf-8', true],
  '.html': ['text/html; charset=utf-8', true],
  '.ico': ['image/x-icon', false],
  '.js': ['text/javascript; charset=utf-8', true],
  '.json': ['application/json', true],
  '.map': ['application/json', true],
  '.png': ['image/png', false],
  '.svg': ['image/svg+xml', true],
  '.txt': ['text/plain; charset=utf-8', true],
  '.webmanifest': ['application/manifest+json', true],
  '.woff2': ['font/woff2', false],
}

export type Coding = 'br' | 'gzip' | 'identity'

/** The answers to requests for one file, in one coding. */
export interface EncodedAsset {
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string>>
  readonly validators: Validators
}

/** A file that is served as it is. It is read, and compressed, at its first request, and then kept. */
export class Asset {
  readonly #path: string
  readonly #cacheControl: string
  readonly #encoded = new Map<Coding, Promise<EncodedAsset>>()

  constructor(path: string, cacheControl: string) {
    this.#path = path
    this.#cacheControl = cacheControl
  }

  /** Returns the file in the best of the codings that a client accepts. */
  inCodingFor(acceptEncoding: string | undefined): Promise<EncodedAsset> {
    const [, isText = false] = TYPES[extname(this.#path)] ?? []
    const coding = isText ? chooseCoding(acceptEncoding) : 'identity'
    const known = this.#encoded.get(coding)
    if (known !== undefined) return known
    const encoding = this.#encode(coding, isText)
    this.#encoded.set(coding, encoding)
    encoding.catch(() => this.#encoded.delete(coding))
    return encoding
  }

  async #encode(coding: Coding, isText: boolean): Promise<EncodedAsset> {
    const [plain, { mtime }] = await Promise.all([readFile(this.#path), stat(this.#path)])
    const body = await compressions[coding](plain)
    const [type = 'application/octet-stream'] = TYPES[extname(this.#path)] ?? []
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    const validators = { etag, lastModified: wholeSeconds(mtime) }
    const headers = {
      'Content-Type': type,
      'Cache-Control': this.#cacheControl,
      'Content-Length': String(body.length),
      ETag: etag,
      'Last-Modified': validators.lastModified.toUTCString(),
      ...(isText && { Vary: 'Accept-Encoding' }),
      ...(coding !== 'identity' && { 'Content-Encoding': coding }),
    }
    return { body, headers, validators }
  }
}

const compressions: Readonly<Record<Coding, (plain: Buffer) => Promise<Buffer>>> = {
  // In the thread pool: nothing else waits for it.
  br: (plain) => promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (plain) => promisify(gzip)(plain, { level: 9 }),
  identity: async (plain) => plain,
}

/** Returns the best coding that an Accept-Encoding header (RFC 9110, 12.5.3) names: a client that says nothing gets the file
 *  as it is. */
export function chooseCoding(header = ''): Coding {
  const accepted = header
    .toLowerCase()
    .split(',')
    .flatMap((part) => {
      const [coding = '', ...parameters] = part.split(';').map((text) => text.trim())
      return parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) ? [] : [coding]
    })
  if (accepted.includes('br')) return 'br'
  return accepted.includes('gzip') ? 'gzip' : 'identity'
}

/** Lists the files of the build and of `public/` by the path of their URL, once. No other file can be reached, whatever a
 *  path contains. */
export async function readAssets(dir: string): Promise<ReadonlyMap<string, Asset>> {
  const [built, open] = await Promise.all([listFiles(join(dir, '.next/static')), listFiles(join(dir, 'public'))])
  return new Map([
    ...built.map(({ path, url }) => [`${BUILD_ASSETS}${url}`, new Asset(path, IMMUTABLE)] as const),
    ...open.map(({ path, url }) => [`/${url}`, new Asset(path, PUBLIC_CACHE)] as const),
  ])
}

async function listFiles(folder: string): Promise<readonly { readonly path: string; readonly url: string }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return {
        path,
        url: path
          .slice(folder.length + 1)
          .split('/')
          .map(encodeURIComponent)
          .join('/'),
      }
    })
}
