import type { Viewer } from '#server/accounts/viewer.ts'
import { createSealer } from '#server/sealed.ts'

/** The lifetime of download links. */
export const LINK_MS = 15 * 60 * 1000

/** The session or token that created a link, which is valid only as long as that is. */
export interface LinkHolder {
  readonly by: 'session' | 'token'
  readonly id: string
}

/** Seals and opens the token in `/i/<slug>.<ext>?download=<token>`. */
export interface DownloadLinks {
  /** `holder` is null for a guest's link. The token is encrypted, so that it does not reveal its holder. */
  seal(slug: string, holder: LinkHolder | null): { readonly token: string; readonly expiresAt: Date }
  /** Returns null for a token that is forged, expired, or for another image. */
  open(slug: string, token: string): { readonly holder: LinkHolder | null } | null
  /** Whether this site has not made the token for this image, rather than that it has expired. */
  isForged(slug: string, token: string): boolean
}

const CONTENT = /^([0-9a-z]{8,11})\.(?:(session|token)\/([0-9a-f-]{36}))?$/

export const isHolding = (by: string | undefined): by is LinkHolder['by'] => by === 'session' || by === 'token'

/** Returns the viewer's session or token; null for a guest. */
export function toLinkHolder(viewer: Viewer | null): LinkHolder | null {
  if (viewer?.token) return { by: 'token', id: viewer.token.id }
  return viewer?.sessionId ? { by: 'session', id: viewer.sessionId } : null
}

export function createDownloadLinks(secret: string, now: () => number = Date.now): DownloadLinks {
  const sealer = createSealer(secret, 'sluice download links')
  return {
    seal(slug, holder) {
      const expiresAt = new Date(now() + LINK_MS)
      const content = `${expiresAt.getTime().toString(36)}.${holder ? `${holder.by}/${holder.id}` : ''}`
      return { token: sealer.seal(content, slug), expiresAt }
    },
    open(slug, token) {
      const [, expiry, by, id] = CONTENT.exec(sealer.open(token, slug) ?? '') ?? []
      if (expiry === undefined || Number.parseInt(expiry, 36) <= now()) return null
      return { holder: isHolding(by) && id !== undefined ? { by, id } : null }
    },
    isForged: (slug, token) => sealer.open(token, slug) === null,
  }
}
