import { type Operation, TRPCClientError, type TRPCLink } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { observable, type Unsubscribable } from '@trpc/server/observable'
import { findRefusal, type RefusedCall } from '#app/limits/refusal.ts'

export interface LimitLinkOptions {
  /**
   * Milliseconds that a call may wait for permits, over all its waits; 0 by default. A call overrides it with `context:
   * { limit: { waitUpToMs } }`.
   */
  readonly waitUpToMs?: number
  readonly retries?: number
  /** Called when a wait begins. */
  readonly onWait?: (wait: LimitWait) => void
  /** 0 to 1; keeps tabs from retrying at the same instant. Calls of one tab retry together and share a batch. */
  readonly spread?: number
}

export interface LimitWait {
  readonly path: string
  readonly refusal: RefusedCall
  /** Milliseconds until the retry. */
  readonly waitMs: number
}

/** The longest spread (ms), and the longest wait that a timer can measure. */
const LONGEST_SPREAD_MS = 1000
const LONGEST_WAIT_MS = 2 ** 31 - 1

/**
 * Retries a refused call once its limit allows it. Refused mutations have had no effect, so retrying them is as safe as
 * retrying queries. A stream body has been read and cannot be sent again. A subscription restarts.
 */
export function limitLink<Router extends AnyTRPCRouter>(options: LimitLinkOptions = {}): TRPCLink<Router> {
  const { retries = 10, onWait, spread = Math.random() } = options
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        const mostMs = op.input instanceof ReadableStream ? 0 : (readWaitUpTo(op) ?? options.waitUpToMs ?? 0)
        let tries = 0
        let waitedMs = 0
        let sent: Unsubscribable | undefined
        let timer: ReturnType<typeof setTimeout> | undefined

        /** Returns the wait before the next attempt (ms); null if the failure is final. */
        const waitAfter = (refusal: RefusedCall | null): number | null => {
          const leftMs = Math.min(mostMs - waitedMs, LONGEST_WAIT_MS)
          if (!refusal || refusal.waitMs > leftMs || tries >= retries || op.signal?.aborted) return null
          return Math.min(leftMs, refusal.waitMs + spread * Math.min(refusal.waitMs, LONGEST_SPREAD_MS))
        }
        const giveUp = () => {
          clearTimeout(timer)
          observer.error(TRPCClientError.from(readAbortReason(op)))
        }
        const send = () => {
          op.signal?.removeEventListener('abort', giveUp)
          sent = next(op).subscribe({
            next: (envelope) => {
              // A resumed stream may wait its full time again.
              if ('data' in envelope.result) tries = waitedMs = 0
              observer.next(envelope)
            },
            complete: () => observer.complete(),
            error: (error) => {
              const refusal = findRefusal(error)
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

function readWaitUpTo({ context: { limit } }: Operation): number | null {
  if (typeof limit !== 'object' || limit === null || !('waitUpToMs' in limit)) return null
  return typeof limit.waitUpToMs === 'number' ? limit.waitUpToMs : null
}

function readAbortReason({ signal }: Operation): Error {
  const reason: unknown = signal?.reason
  return reason instanceof Error ? reason : new DOMException('the call was aborted', 'AbortError')
}
