import type { TRPCError } from '@trpc/server'
import { refuse } from '#server/errors/refuse.ts'
import type { Context } from './context.ts'
import { type Meta, tooManyRequests } from './limit.ts'

/** Returns the error for a wrong token whose address has sent too many of them. Nothing more is charged for it. */
export function limitedToken({ tokenDecision }: Pick<Context, 'tokenDecision'>): TRPCError | null {
  return tokenDecision && tooManyRequests(tokenDecision)
}

/** Returns the error for a token that is void or lacks the procedure's scope; a procedure without a scope accepts no token. */
export function refusedToken(
  { viewer, hasVoidToken }: Pick<Context, 'viewer' | 'hasVoidToken'>,
  needed: Meta['scope'],
): TRPCError | null {
  if (hasVoidToken) return refuse('void-token')
  if (!viewer?.token || needed === 'any') return null
  if (needed && viewer.token.scopes.includes(needed)) return null
  return needed ? refuse('token-scope', { scope: needed }) : refuse('token-needs-session')
}
