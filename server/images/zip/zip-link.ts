import { createSealer } from '#server/sealed.ts'
import { isHolding, LINK_MS, type LinkHolder } from '../links/download-link.ts'

/** The encrypted content of a zip link. */
export interface ZipOrder {
  /** The link is valid as long as this session or token; null for a guest's. */
  readonly holder: LinkHolder | null
  /** The images, in order. */
  readonly ids: readonly string[]
  /** The number of the part, from 1, if this is one of an export: it has the facts about the account and its images as well. */
  readonly exportPart?: number
}

/** Seals and opens the `link` in `/api/zip?link=<link>`: some 3 kB for a hundred images, short enough for every proxy. */
export interface ZipLinks {
  seal(order: ZipOrder): { readonly link: string; readonly expiresAt: Date }
  /** Returns null for a forged or expired link. */
  open(link: string): ZipOrder | null
}

const ID_BYTES = 16
const CONTENT = /^([0-9a-z]{8,11})\.(?:(session|token)\/([0-9a-f-]{36}))?\.([A-Za-z0-9_-]*)(?:\.(\d{1,9}))?$/

export function createZipLinks(secret: string, now: () => number = Date.now): ZipLinks {
  const sealer = createSealer(secret, 'sluice zip links')
  return {
    seal({ holder, ids, exportPart }) {
      const expiresAt = new Date(now() + LINK_MS)
      const bytes = Buffer.from(ids.join('').replaceAll('-', ''), 'hex').toString('base64url')
      const part = exportPart === undefined ? '' : `.${exportPart}`
      const content = `${expiresAt.getTime().toString(36)}.${holder ? `${holder.by}/${holder.id}` : ''}.${bytes}${part}`
      return { link: sealer.seal(content), expiresAt }
    },
    open(link) {
      const [, expiry = '', by, id, bytes, part] = CONTENT.exec(sealer.open(link) ?? '') ?? []
      if (bytes === undefined || Number.parseInt(expiry, 36) <= now()) return null
      const holder = isHolding(by) && id !== undefined ? { by, id } : null
      const ids = parseIds(Buffer.from(bytes, 'base64url'))
      return { holder, ids, ...(part !== undefined && { exportPart: Number(part) }) }
    },
  }
}

function parseIds(bytes: Buffer): readonly string[] {
  return Array.from({ length: bytes.length / ID_BYTES }, (_, index) => {
    const hex = bytes.toString('hex', index * ID_BYTES, (index + 1) * ID_BYTES)
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  })
}
