import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** How long a link from image.download can be used. */
export const LINK_MS = 15 * 60 * 1000

/** Signs and checks the token in `/i/<slug>.<ext>?download=<token>`. */
export interface DownloadLinks {
  /** `sessionId`: whose link it is; null for a guest's. */
  sign(slug: string, sessionId: string | null): { readonly token: string; readonly expiresAt: Date }
  /** Whose link it is, or null: forged, expired, or of another image. */
  verify(slug: string, token: string): { readonly sessionId: string | null } | null
}

const TOKEN = /^([0-9a-z]{8,11})\.([0-9a-f-]{36}|guest)\.([A-Za-z0-9_-]{43})$/

/** The links' key is derived from the site's secret: a signature made for one purpose serves no other. */
export function createDownloadLinks(secret: string, now: () => number = Date.now): DownloadLinks {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'sluice download links', 32))
  const signature = (slug: string, expiry: string, session: string) =>
    createHmac('sha256', key).update(`${slug}\n${expiry}\n${session}`).digest()
  return {
    sign(slug, sessionId) {
      const expiresAt = new Date(now() + LINK_MS)
      const expiry = expiresAt.getTime().toString(36)
      const session = sessionId ?? 'guest'
      return { token: `${expiry}.${session}.${signature(slug, expiry, session).toString('base64url')}`, expiresAt }
    },
    verify(slug, token) {
      const [, expiry = '', session = '', signed = ''] = TOKEN.exec(token) ?? []
      const given = Buffer.from(signed, 'base64url')
      const expected = signature(slug, expiry, session)
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
      if (Number.parseInt(expiry, 36) <= now()) return null
      return { sessionId: session === 'guest' ? null : session }
    },
  }
}
