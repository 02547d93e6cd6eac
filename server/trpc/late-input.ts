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

/** Returns a reader of an input that may arrive minutes after the head, which then looks up the caller again. It throws for one whose
 *  session or token has ended in the meantime. An input is read after access has been decided, and not for who has none. */
export function whileValid(ctx: Context, { scope }: Meta, read: ReadInput): ReadInput {
  if (!ctx.viewer || !ctx.isStillValid) return read
  return async () => {
    const [input] = await Promise.allSettled([read()])
    // Of a stream nothing has arrived: the procedure asks at its end.
    const isStream = ctx.form === null && input.status === 'fulfilled' && input.value instanceof ReadableStream
    if (!isStream) await requireStillValid(ctx, scope)
    return input.status === 'fulfilled' ? input.value : Promise.reject(input.reason)
  }
}

/** Throws if the caller's session or token has ended while the body of the call arrived. */
export async function requireStillValid({ viewer, isStillValid }: Context, scope: Meta['scope']): Promise<void> {
  if (!viewer || !isStillValid || (await isStillValid())) return
  throw refusedToken({ viewer: null, hasVoidToken: viewer.token !== null }, scope) ?? refuse('signed-out')
}
