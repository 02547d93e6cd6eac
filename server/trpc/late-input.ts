import { getTRPCErrorFromUnknown, type TRPCError } from '@trpc/server'
import { refuse } from '#server/errors/refuse.ts'
import type { Context } from './context.ts'
import type { Meta } from './limit.ts'
import { refusedToken } from './token-refusals.ts'

/** Waits for an input that arrives after the head, which may take minutes, and looks up the caller again. Returns the error for
 *  a caller whose session or token has ended in the meantime, otherwise null. Never rejects. */
export async function recheckCaller(
  { viewer, isStillValid }: Context,
  { scope }: Meta,
  getRawInput: () => Promise<unknown>,
): Promise<TRPCError | null> {
  if (!viewer || !isStillValid) return null
  // An unreadable input is refused by its parser.
  await getRawInput().catch(() => undefined)
  try {
    if (await isStillValid()) return null
  } catch (error) {
    return getTRPCErrorFromUnknown(error)
  }
  const isByToken = viewer.token !== null
  return refusedToken({ viewer: null, hasVoidToken: isByToken }, scope) ?? refuse('signed-out')
}
