import { type Operation, TRPCClientError, type TRPCLink } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { observable, type Unsubscribable } from '@trpc/server/observable'
import { type Refusal, refusalOf } from '#app/limits/refusal.ts'

export interface LimitLinkOptions {
  /** Milliseconds that a call waits for its permits, all its waits together; 0, not at all, where nothing is said. A call says
   *  otherwise for itself by `context: { limit: { waitUpToMs } }`. */
  readonly waitUpToMs?: number
  /** How often a call is sent again. */
  readonly retries?: number
  /** Told of every wait that begins. */
  readonly onWait?: (wait: LimitWait) => void
  /** 0 to 1; keeps tabs from returning in one instant. The calls of one tab return together, and share a batch. */
  readonly spread?: number
}

export interface LimitWait {
  readonly path: string
  readonly refusal: Refusal
  /** Milliseconds until the call is sent again. */
  readonly waitMs: number
}

/** The longest spread (ms), and the longest wait that a timer can measure. */
const LONGEST_SPREAD_MS = 1000
const LONGEST_WAIT_MS = 2 ** 31 - 1

/** Sends a call that a limit refused again when the limit lets it pass. A refusal has done nothing, so that mutations are as
 *  safe to send again as queries; a body that is a stream has been read, and is not. A subscription begins anew. */
export function limitLink<Router extends AnyTRPCRouter>(options: LimitLinkOptions = {}): TRPCLink<Router> {
  const { retries = 10, onWait, spread = Math.random() } = options
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        const mostMs = op.input instanceof ReadableStream ? 0 : (waitUpToOf(op) ?? options.waitUpToMs ?? 0)
        let tries = 0
        let waitedMs = 0
        let sent: Unsubscribable | undefined
        let timer: ReturnType<typeof setTimeout> | undefined

        /** How long to wait after a failure; null where it is final. */
        const waitAfter = (refusal: Refusal | null): number | null => {
          const leftMs = Math.min(mostMs - waitedMs, LONGEST_WAIT_MS)
          if (!refusal || refusal.waitMs > leftMs || tries >= retries || op.signal?.aborted) return null
          return Math.min(leftMs, refusal.waitMs + spread * Math.min(refusal.waitMs, LONGEST_SPREAD_MS))
        }
        const giveUp = () => {
          clearTimeout(timer)
          observer.error(TRPCClientError.from(reasonOf(op)))
        }
        const send = () => {
          op.signal?.removeEventListener('abort', giveUp)
          sent = next(op).subscribe({
            next: (envelope) => {
              // A stream that flows again has its patience back.
              if ('data' in envelope.result) tries = waitedMs = 0
              observer.next(envelope)
            },
            complete: () => observer.complete(),
            error: (error) => {
              const refusal = refusalOf(error)
              const waitMs = waitAfter(refusal)
              if (!refusal || waitMs === null) return observer.error(error)
              tries += 1
              waitedMs += waitMs
              timer = setTimeout(send, waitMs)
              op.signal?.addEventListener('abort', giveUp, { once: true })
              onWait?.({ path: op.path, refusal, waitMs })
            },
          })
        }
        send()
        return () => {
          clearTimeout(timer)
          op.signal?.removeEventListener('abort', giveUp)
          sent?.unsubscribe()
        }
      })
}

function waitUpToOf({ context: { limit } }: Operation): number | null {
  if (typeof limit !== 'object' || limit === null || !('waitUpToMs' in limit)) return null
  return typeof limit.waitUpToMs === 'number' ? limit.waitUpToMs : null
}

function reasonOf({ signal }: Operation): Error {
  const reason: unknown = signal?.reason
  return reason instanceof Error ? reason : new DOMException('the call was aborted', 'AbortError')
}
