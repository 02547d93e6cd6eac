import type { IncomingHttpHeaders } from 'node:http'
import type { Decision } from '#server/limits/decision.ts'
import { Failures } from '#server/limits/failures.ts'
import type { Services } from '#server/services.ts'
import { wrongTokens } from './limits.ts'
import { readBearerToken } from './tokens/api-token.ts'
import { toCaller, type Viewer } from './viewer.ts'

/** Who sent a request. */
export interface Identity {
  /** Null for a guest. */
  readonly viewer: Viewer | null
  /** Set if the token was wrong, or was not looked up because its address has sent too many wrong ones. */
  readonly tokenRefusal: Decision | null
}

export const GUEST: Identity = { viewer: null, tokenRefusal: null }

/** Identifies a request by its cookie or token. Only wrong tokens are charged to the address's limit. */
export async function identify(
  app: Pick<Services, 'limiter' | 'findViewer'>,
  headers: IncomingHttpHeaders,
  address: string,
): Promise<Identity> {
  if (readBearerToken(headers.authorization) === null)
    return { viewer: await app.findViewer(headers), tokenRefusal: null }
  const wrong = new Failures(app.limiter, wrongTokens, toCaller(null, address))
  const tokenRefusal = await wrong.refusal()
  if (tokenRefusal) return { viewer: null, tokenRefusal }
  const viewer = await app.findViewer(headers)
  return { viewer, tokenRefusal: viewer ? null : await wrong.count() }
}
