import { getTRPCErrorFromUnknown, TRPCError } from '@trpc/server'
import type { Context } from './context.ts'
import type { Meta } from './limit.ts'
import { refusedToken } from './token-refusals.ts'

/** Waits for an input that arrives after the head, which may take minutes, and looks up the caller again: the error for
 *  a caller who was signed out or banned meanwhile, otherwise null. Never rejects. */
export async function shutOutMeanwhile(
  { viewer, isStillIn }: Context,
  { scope }: Meta,
  getRawInput: () => Promise<unknown>,
): Promise<TRPCError | null> {
  if (!viewer || !isStillIn) return null
  // One that cannot be read is refused by whoever parses it.
  await getRawInput().catch(() => undefined)
  try {
    if (await isStillIn()) return null
  } catch (error) {
    return getTRPCErrorFromUnknown(error)
  }
  const isByToken = viewer.token !== null
  return (
    refusedToken({ viewer: null, hasVoidToken: isByToken }, scope) ??
    new TRPCError({ code: 'UNAUTHORIZED', message: 'Sign in first.' })
  )
}
