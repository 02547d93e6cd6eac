import type { TRPCError } from '@trpc/server'
import { refuse } from '#server/errors/refuse.ts'
import type { Context } from './context.ts'
import { type Meta, tooManyRequests } from './limit.ts'

/** A token that was not looked up, for its address has sent too many wrong ones: nothing more is taken for it. */
export function unheardToken({ tokenRefusal }: Pick<Context, 'tokenRefusal'>): TRPCError | null {
  return tokenRefusal && tooManyRequests(tokenRefusal)
}

/** A token is for what its scopes say, and for nothing that says no scope: why this one is not for that. */
export function refusedToken(
  { viewer, hasVoidToken }: Pick<Context, 'viewer' | 'hasVoidToken'>,
  needed: Meta['scope'],
): TRPCError | null {
  if (hasVoidToken) return refuse('void-token')
  if (!viewer?.token || needed === 'any') return null
  if (needed && viewer.token.scopes.includes(needed)) return null
  return needed ? refuse('token-scope', { scope: needed }) : refuse('token-needs-session')
}
