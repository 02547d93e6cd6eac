import { hash, randomBytes } from 'node:crypto'
import { createSealer } from '#server/sealed.ts'

/** 144 bits, which nobody can guess. */
const RANDOM_BYTES = 18

/** The tokens in the links of shares: `<origin>/s/<token>`. */
export interface ShareLinks {
  /** Returns a new token, with what is stored of it. */
  make(shareId: string): { readonly url: string; readonly tokenHash: string; readonly sealedToken: string }
  /** Returns the link of a share to its owner; null if the site's secret has been replaced since it was made. */
  url(share: { readonly id: string; readonly sealedToken: string }): string | null
}

/** Returns what a share is found by. Malformed tokens are hashed like all others, so that they are indistinguishable. */
export const hashToken = (token: string): string => hash('sha256', token)

export function createShareLinks({ origin, secret }: { readonly origin: string; readonly secret: string }): ShareLinks {
  const sealer = createSealer(secret, 'sluice share tokens')
  const toUrl = (token: string) => `${origin}/s/${token}`
  return {
    make(shareId) {
      const token = randomBytes(RANDOM_BYTES).toString('base64url')
      return { url: toUrl(token), tokenHash: hashToken(token), sealedToken: sealer.seal(token, shareId) }
    },
    url({ id, sealedToken }) {
      const token = sealer.open(sealedToken, id)
      return token && toUrl(token)
    },
  }
}
