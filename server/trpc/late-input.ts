import { getTRPCErrorFromUnknown, type TRPCError } from '@trpc/server'
import { refuse } from '#server/errors/refuse.ts'
import type { Context } from './context.ts'
import type { Meta } from './limit.ts'
import { refusedToken } from './token-refusals.ts'

type ReadInput = () => Promise<unknown>

/** Returns a reader of the same input that rejects when the client leaves. Without it, the body of a form that stops half-way
 *  is waited for forever. */
export function whileConnected(read: ReadInput, signal: AbortSignal | undefined): ReadInput {
  if (!signal) return read
  return () =>
    new Promise((resolve, reject) => {
      const leave = () => reject(refuse('client-gone'))
      if (signal.aborted) leave()
      signal.addEventListener('abort', leave, { once: true })
      read()
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', leave))
    })
}

/** Waits for an input that arrives after the head, which may take minutes, and looks up the caller again. Returns the error for
 *  a client that has left, or for a caller whose session or token has ended in the meantime; otherwise null. Never rejects. */
export async function recheckCaller(
  { viewer, isStillValid }: Context,
  { scope }: Meta,
  read: ReadInput,
  signal: AbortSignal | undefined,
): Promise<TRPCError | null> {
  if (!viewer || !isStillValid) return null
  // An unreadable input is refused by its parser.
  await read().catch(() => undefined)
  if (signal?.aborted) return refuse('client-gone')
  try {
    if (await isStillValid()) return null
  } catch (error) {
    return getTRPCErrorFromUnknown(error)
  }
  const isByToken = viewer.token !== null
  return refusedToken({ viewer: null, hasVoidToken: isByToken }, scope) ?? refuse('signed-out')
}
