import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Seals texts that come back by a URL: nobody but this site can read or make them. */
export interface Sealer {
  /** In base64url. `about`: what it is opened with, and not kept in it. */
  seal(text: string, about?: string): string
  /** Null for what was not sealed here, or about something else. */
  open(sealed: string, about?: string): string | null
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The key is derived from the site's secret: what is sealed for one purpose serves no other. */
export function createSealer(secret: string, purpose: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  return {
    seal: (text, about = '') => encrypt(key, about, text),
    open: (sealed, about = '') => decrypt(key, about, sealed),
  }
}

/** A nonce, the encrypted text and the tag that authenticates it together with what it is about. */
function encrypt(key: Buffer, about: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(about))
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

function decrypt(key: Buffer, about: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== sealed) return null
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(about))
    .setAuthTag(bytes.subarray(-TAG_BYTES))
  const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
  try {
    return Buffer.concat([text, decipher.final()]).toString()
  } catch {
    return null
  }
}
