import type { CallOptions } from '#server/limits/call-limiter.ts'
import type { Decision } from '#server/limits/decision.ts'
import type { DecidedCall } from '#server/limits/permit.ts'
import type { Receipt } from '#server/limits/store.ts'
import { presentRequest } from '#server/request-notes.ts'

/** A refused call, as it was decided. */
export interface NotedRefusal extends Pick<Decision, 'retryAfterMs' | 'waitedMs'> {
  readonly requestId: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** The policy of the refusing rule. */
  readonly policy: string | undefined
  /** The procedure or route; undefined for rule sets that were charged by themselves. */
  readonly label: string | undefined
  readonly receipt: Receipt
}

/** How many refusals are kept: the last ones. */
const KEPT = 10_000

/** Keeps the last refusals of this process's requests. It keeps what the limiter has made of them anyway, so that a refusal costs
 *  no more than an entry in a ring, also in a flood. */
export class RefusalLog {
  readonly #kept: number
  readonly #ring: NotedRefusal[] = []
  #next = 0

  constructor(kept = KEPT) {
    this.#kept = kept
  }

  /** Notes a refused call. Calls that belong to no request are left out, and those for which fewer permits are no refusal. */
  readonly note = (
    { decision, receipt }: Pick<DecidedCall, 'decision' | 'receipt'>,
    { label, countsCall, requestId }: CallOptions,
  ): void => {
    const request = requestId ?? presentRequest()
    if (request === undefined || countsCall === 'never') return
    const { retryAfterMs, waitedMs, refusedBy } = decision
    const of = { requestId: request, at: Date.now(), label, policy: refusedBy?.policy }
    this.#ring[this.#next] = { ...of, retryAfterMs, waitedMs, receipt }
    this.#next = (this.#next + 1) % this.#kept
  }

  /** Returns the values of the arguments that the keys of kept refusals count. */
  argumentsByKey(): ReadonlyMap<string, string> {
    const charges = this.#ring.flatMap(({ receipt }) => receipt.lines.map(({ charge }) => charge))
    return new Map(charges.flatMap(({ key, known }) => (known?.argument ? [[key, known.argument]] : [])))
  }

  /** Returns the refusals of a request, the oldest first. */
  find(requestId: string): readonly NotedRefusal[] {
    return this.#ring.filter((each) => each.requestId === requestId).toSorted((a, b) => a.at - b.at)
  }
}
