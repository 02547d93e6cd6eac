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
  /** What a wrong token was charged to its address: a refusal if that has sent too many, or is not looked up in a flood of them.
   *  Null for a right one, and without one. */
  readonly tokenDecision: Decision | null
}

export const GUEST: Identity = { viewer: null, tokenDecision: null }

/** Identifies a request by its cookie or token. Only wrong tokens are charged to the address's limit. */
export async function identify(
  app: Pick<Services, 'limiter' | 'findViewer'>,
  headers: IncomingHttpHeaders,
  address: string,
): Promise<Identity> {
  if (readBearerToken(headers.authorization) === null)
    return { viewer: await app.findViewer(headers), tokenDecision: null }
  const caller = toCaller(null, address)
  const lookups = new Failures(app.limiter, tokenLookups, caller)
  const flood = await lookups.refusal()
  if (flood) return { viewer: null, tokenDecision: flood }
  const viewer = await app.findViewer(headers)
  if (viewer) return { viewer, tokenDecision: null }
  const [, tokenDecision] = await Promise.all([lookups.count(), new Failures(app.limiter, wrongTokens, caller).count()])
  return { viewer, tokenDecision }
}
