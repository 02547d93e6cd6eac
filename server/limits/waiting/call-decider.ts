import type { Clock } from '../clock.ts'
import type { Decider } from '../deciders/decider.ts'
import { type Amender, nothingTaken, type Taken } from '../permit.ts'
import type { Charge, Operation } from '../store.ts'
import { afterWaiting } from './answers.ts'
import type { WaitingCall } from './waiting-call.ts'

/** Asks the decider about calls that may wait, and marks an answer as outdated when permits come back while it is under
 *  way. */
export class CallDecider implements Amender {
  readonly #decider: Decider
  readonly #clock: Clock
  readonly #onReturn: (key: string) => void
  readonly #asking = new Set<WaitingCall>()

  /** `onReturn` is called with each key to which permits came back in this process. */
  constructor(decider: Decider, clock: Clock, onReturn: (key: string) => void) {
    this.#decider = decider
    this.#clock = clock
    this.#onReturn = onReturn
  }

  /** Asks about the call. `settle` gets the answer in the same step in which the call stops asking, so that permits
   *  which come back find it either asking, which outdates the answer, or already in its next queue, which they
   *  wake. */
  async ask(call: WaitingCall, settle: (answer: Taken) => void = () => {}): Promise<Taken> {
    call.signal?.throwIfAborted()
    call.isAsking = true
    call.isOutdated = false
    this.#asking.add(call)
    const waitedMs = this.#clock.now() - call.since
    const charges = waitedMs === 0 ? call.charges : call.charges.map((charge) => afterWaiting(charge, waitedMs))
    try {
      const taken = await this.#decider.take(charges)
      this.#answered(call)
      settle(taken)
      return taken
    } catch (error) {
      this.#answered(call)
      throw error
    }
  }

  #answered(call: WaitingCall): void {
    call.isAsking = false
    this.#asking.delete(call)
  }

  /** Refuses the call, with the state of its rules as the store has it now and a wait of at least what holds it here,
   *  so that it does not overtake earlier calls. */
  async refuse(call: WaitingCall): Promise<Taken> {
    call.signal?.throwIfAborted()
    const decision = await this.#decider.peek(call.charges)
    const refusedBy = decision.refusedBy ?? decision.rules.find(({ policy }) => policy === call.heldBy)
    // The rule that held it is gone, such as one with `onStoreFailure: 'allow'` while the store fails: ask again.
    if (!refusedBy) return this.ask(call)
    const retryAfterMs = Math.max(1, decision.retryAfterMs, call.heldUntil - this.#clock.now())
    const refusal = { allowed: false, refusedBy, retryAfterMs, degradedBy: null, shadowedBy: null, delayMs: 0 }
    return nothingTaken({ ...decision, ...refusal })
  }

  async amend(taken: Taken, operation: Operation): Promise<void> {
    await this.#decider.amend(taken, operation)
    if (operation.type === 'refund') this.#cameBack(operation.charges)
  }

  /** Forgets what was charged. */
  async reset(charges: readonly Charge[]): Promise<void> {
    try {
      await this.#decider.reset(charges)
    } finally {
      this.#cameBack(charges)
    }
  }

  #cameBack(charges: readonly Charge[]): void {
    const keys = new Set(charges.map(({ key }) => key))
    for (const call of this.#asking) {
      if (call.patient.some(({ key }) => keys.has(key))) call.isOutdated = true
    }
    for (const key of keys) this.#onReturn(key)
  }
}
