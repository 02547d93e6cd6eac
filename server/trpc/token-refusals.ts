import { TRPCError } from '@trpc/server'
import type { Context } from './context.ts'
import { type Meta, tooManyRequests } from './limit.ts'
import { Refused } from './refused.ts'

/** A token that was not looked up, for its address has sent too many wrong ones: nothing more is taken for it. */
export function unheardToken({ tokenRefusal }: Pick<Context, 'tokenRefusal'>): TRPCError | null {
  return tokenRefusal && tooManyRequests(tokenRefusal)
}

/** A token is for what its scopes say, and for nothing that says no scope: why this one is not for that. */
export function refusedToken(
  { viewer, hasVoidToken }: Pick<Context, 'viewer' | 'hasVoidToken'>,
  needed: Meta['scope'],
): TRPCError | null {
  if (hasVoidToken) {
    const message = 'This token is not valid: it has expired or was revoked.'
    return new TRPCError({ code: 'UNAUTHORIZED', message, cause: new Refused('void-token') })
  }
  if (!viewer?.token || needed === 'any') return null
  if (needed && viewer.token.scopes.includes(needed)) return null
  const message = needed ? `This token may not ${needed}.` : 'No token may do this: sign in.'
  return new TRPCError({ code: 'FORBIDDEN', message, cause: new Refused('token-scope') })
}
