import type { TRPCError } from '@trpc/server'
import { isProven } from '#server/accounts/viewer.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { Context } from './context.ts'
import type { Meta } from './limit.ts'

/** Returns the error for a session that has to set up a second factor first, or to prove again who uses it; otherwise null. Tokens
 *  have no session, and reach no procedure that asks for a proof. */
export function refusedSession(
  { viewer }: Pick<Context, 'viewer'>,
  { proof, settingUp = false }: Pick<Meta, 'proof' | 'settingUp'>,
  now = Date.now(),
): TRPCError | null {
  if (!viewer) return null
  if (viewer.needsFactor && !settingUp) return refuse('factor-needed')
  return proof === 'fresh' && !isProven(viewer, now) ? refuse('proof-needed') : null
}
