import { getTRPCErrorFromUnknown, TRPCError } from '@trpc/server'
import type { Context } from './context.ts'
import type { Meta } from './limit.ts'
import { refusedToken } from './token-refusals.ts'

/** Why a call goes no further whose caller was shut out while its input was on its way, which may take minutes: null for
 *  everybody else. Waits for the input, where that was not there with the head. Rejects never. */
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
