import type { Clock } from '../clock.ts'
import { Permit } from '../permit.ts'
import type { LimitStore } from '../store.ts'
import { afterWaiting } from './answers.ts'
import type { WaitingCall } from './waiting-call.ts'

/** Asks the store about calls that may wait, and knows which calls are being asked about: an answer is outdated when
 *  permits are released in the meantime. */
export class AskedCalls {
  readonly #store: LimitStore
  readonly #clock: Clock
  readonly #asking = new Set<WaitingCall>()

  constructor(store: LimitStore, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** Asks about the call. `end` must be called in the step in which the answer is used. */
  async ask(call: WaitingCall): Promise<Permit> {
    call.signal?.throwIfAborted()
    call.isAsking = true
    call.isOutdated = false
    this.#asking.add(call)
    const waitedMs = this.#clock.now() - call.since
    const isNew = waitedMs === 0 && call.waitMs === Number.POSITIVE_INFINITY
    const charges = isNew ? call.charges : call.charges.map((charge) => afterWaiting(charge, waitedMs, call.waitMs))
    return new Permit(await this.#store.apply({ type: 'take', charges }), this.#store)
  }

  end(call: WaitingCall): void {
    call.isAsking = false
    this.#asking.delete(call)
  }

  /** To be called when permits of the keys were released. */
  outdate(keys: readonly string[]): void {
    for (const call of this.#asking) if (call.patient.some(({ key }) => keys.includes(key))) call.isOutdated = true
  }

  /** Refuses the call, with the current state of its rules in the store and at least the wait of its rule here, so that
   *  it does not overtake earlier calls. */
  async refuse(call: WaitingCall): Promise<Permit> {
    call.signal?.throwIfAborted()
    const permit = new Permit(await this.#store.apply({ type: 'peek', charges: call.charges }), this.#store)
    const { decision } = permit
    const refusedBy = decision.refusedBy ?? decision.rules.find(({ policy }) => policy === call.heldBy)
    // The rule that it waited for no longer refuses, such as one with `onStoreFailure: 'allow'` while the store fails:
    // ask again.
    if (!refusedBy) return this.ask(call).finally(() => this.end(call))
    const retryAfterMs = Math.max(1, decision.retryAfterMs, call.heldUntil - this.#clock.now())
    return permit.after({ allowed: false, refusedBy, retryAfterMs, degradedBy: null, shadowedBy: null, delayMs: 0 })
  }
}
