import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** How long a link from image.download can be used. */
export const LINK_MS = 15 * 60 * 1000

/** By what whoever asked for a link is known: the link holds as long as that does. */
export interface LinkHolder {
  readonly by: 'session' | 'token'
  readonly id: string
}

/** Seals and opens the token in `/i/<slug>.<ext>?download=<token>`. */
export interface DownloadLinks {
  /** `holder`: whose link it is; null for a guest's. It cannot be read from the token. */
  seal(slug: string, holder: LinkHolder | null): { readonly token: string; readonly expiresAt: Date }
  /** Whose link it is, or null: forged, expired, or of another image. */
  open(slug: string, token: string): { readonly holder: LinkHolder | null } | null
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const CONTENT = /^([0-9a-z]{8,11})\.(?:(session|token)\/([0-9a-f-]{36}))?$/

const isHolding = (by: string | undefined): by is LinkHolder['by'] => by === 'session' || by === 'token'

/** The links' key is derived from the site's secret: what is sealed for one purpose serves no other. */
export function createDownloadLinks(secret: string, now: () => number = Date.now): DownloadLinks {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'sluice download links', 32))
  return {
    seal(slug, holder) {
      const expiresAt = new Date(now() + LINK_MS)
      const content = `${expiresAt.getTime().toString(36)}.${holder ? `${holder.by}/${holder.id}` : ''}`
      return { token: encrypt(key, slug, content), expiresAt }
    },
    open(slug, token) {
      const [, expiry, by, id] = CONTENT.exec(decrypt(key, slug, token) ?? '') ?? []
      if (expiry === undefined || Number.parseInt(expiry, 36) <= now()) return null
      return { holder: isHolding(by) && id !== undefined ? { by, id } : null }
    },
  }
}

/** A nonce, the encrypted text and the tag that authenticates it together with the slug. */
function encrypt(key: Buffer, slug: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(slug))
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

function decrypt(key: Buffer, slug: string, token: string): string | null {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== token) return null
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(slug))
    .setAuthTag(bytes.subarray(-TAG_BYTES))
  const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
  try {
    return Buffer.concat([text, decipher.final()]).toString()
  } catch {
    return null
  }
}
