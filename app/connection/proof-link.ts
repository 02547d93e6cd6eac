import type { TRPCLink } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { observable, type Unsubscribable } from '@trpc/server/observable'

/** Returns whether a call was refused because it is too long since the user last proved who they are. */
function isProofNeeded(error: { readonly data?: unknown }): boolean {
  const { data } = error
  return typeof data === 'object' && data !== null && 'reason' in data && data.reason === 'proof-needed'
}

/** Asks for a proof when a call needs a newer one, and repeats the call once it is given. The call was refused, so it has had no effect.
 *  `ask` resolves with whether the proof was given; if it was not, the call fails as it did. */
export function proofLink<Router extends AnyTRPCRouter>(ask: () => Promise<boolean>): TRPCLink<Router> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        let sent: Unsubscribable | undefined
        let isLeft = false
        const send = (mayAsk: boolean) => {
          sent = next(op).subscribe({
            next: (envelope) => observer.next(envelope),
            complete: () => observer.complete(),
            error: (error) => {
              if (!mayAsk || !isProofNeeded(error)) return observer.error(error)
              void ask().then((isGiven) => {
                if (isLeft) return
                if (isGiven && !op.signal?.aborted) send(false)
                else observer.error(error)
              })
            },
          })
        }
        send(true)
        return () => {
          isLeft = true
          sent?.unsubscribe()
        }
      })
}
