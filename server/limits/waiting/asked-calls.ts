import type { Clock } from '../clock.ts'
import { Permit } from '../permit.ts'
import type { LimitStore } from '../store.ts'
import { afterWaiting } from './answers.ts'
import type { WaitingCall } from './waiting-call.ts'

/** Asks the store about calls that may wait, and knows about which it is being asked: an answer is outdated when permits
 *  come back while it is under way. */
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
    const charges = waitedMs === 0 ? call.charges : call.charges.map((charge) => afterWaiting(charge, waitedMs))
    return new Permit(await this.#store.apply({ type: 'take', charges }), this.#store)
  }

  end(call: WaitingCall): void {
    call.isAsking = false
    this.#asking.delete(call)
  }

  /** Permits came back to the keys. */
  outdate(keys: readonly string[]): void {
    for (const call of this.#asking) if (call.patient.some(({ key }) => keys.includes(key))) call.isOutdated = true
  }

  /** Refuses the call, with the state of its rules as the store has it now and a wait of at least what holds it here,
   *  so that it does not overtake earlier calls. */
  async refuse(call: WaitingCall): Promise<Permit> {
    call.signal?.throwIfAborted()
    const permit = new Permit(await this.#store.apply({ type: 'peek', charges: call.charges }), this.#store)
    const { decision } = permit
    const refusedBy = decision.refusedBy ?? decision.rules.find(({ policy }) => policy === call.heldBy)
    // The rule that held it is gone, such as one with `onStoreFailure: 'allow'` while the store fails: ask again.
    if (!refusedBy) return this.ask(call).finally(() => this.end(call))
    const retryAfterMs = Math.max(1, decision.retryAfterMs, call.heldUntil - this.#clock.now())
    return permit.after({ allowed: false, refusedBy, retryAfterMs, degradedBy: null, shadowedBy: null, delayMs: 0 })
  }
}
