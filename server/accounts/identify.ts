import type { IncomingHttpHeaders } from 'node:http'
import type { Decision } from '#server/limits/decision.ts'
import { Failures } from '#server/limits/failures.ts'
import type { Services } from '#server/services.ts'
import { readBearerToken } from './tokens/api-token.ts'
import { tokenLookups, wrongTokens } from './tokens/limits.ts'
import { toCaller, type Viewer } from './viewer.ts'

/** Who sent a request. */
export interface Identity {
  /** Null for a guest. */
  readonly viewer: Viewer | null
  /** Set if the token was wrong and its address has sent too many wrong ones, or was not looked up in a flood of them. */
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
  const caller = toCaller(null, address)
  const lookups = new Failures(app.limiter, tokenLookups, caller)
  const flood = await lookups.refusal()
  if (flood) return { viewer: null, tokenRefusal: flood }
  const viewer = await app.findViewer(headers)
  if (viewer) return { viewer, tokenRefusal: null }
  const [, tokenRefusal] = await Promise.all([lookups.count(), new Failures(app.limiter, wrongTokens, caller).count()])
  return { viewer, tokenRefusal }
}
