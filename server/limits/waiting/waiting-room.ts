import type { LimitRequest } from '../charges.ts'
import type { Clock } from '../clock.ts'
import type { Permit } from '../permit.ts'
import type { Returns } from '../returns.ts'
import type { Charge, LimitStore } from '../store.ts'
import { subjectOf } from '../subject.ts'
import { abortable } from './abortable.ts'
import { pacedBy } from './answers.ts'
import { AskedCalls } from './asked-calls.ts'
import { holdUntilTurn } from './hold-until-turn.ts'
import { Queues } from './queues.ts'
import { Waiters, type WaitingLimits } from './waiters.ts'
import { type Arrival, WaitingCall } from './waiting-call.ts'

export interface WaitingRoomOptions extends WaitingLimits {
  readonly store: LimitStore
  readonly returns: Returns
  readonly clock: Clock
  /** Random milliseconds added to the time at which the first of a queue asks again; 0 where no process shares the
   *  store. */
  readonly jitterMs?: () => number
}

/** The jitter for processes that share a store: 1 to 10 ms. At least 1, because the clocks of process and store change
 *  their millisecond at different moments. */
export function jitterBetweenProcesses(random: () => number = Math.random): () => number {
  return () => 1 + Math.floor(random() * 10)
}

type ChargesOf = (requests: readonly LimitRequest[]) => readonly Charge[]

/** Lets calls wait for their permits where their rule sets say so, first come, first served within this process: a
 *  queue per key, in which only the first call asks. The design is that of Redisson's RRateLimiter.acquire with its
 *  flaws fixed: there all waiters wake at one instant and race, a wake-up can be missed, and a call without a deadline
 *  may wait for ever. Here a queue keeps the time of its first call, permits released in this process wake it, every
 *  call has a deadline, and a cancelled call takes nothing. */
export class WaitingRoom {
  readonly #clock: Clock
  readonly #waiters: Waiters
  readonly #queues: Queues
  readonly #store: LimitStore
  readonly #calls: AskedCalls
  /** Computes a call's charges by the current limits; null until limits have changed for the first time. */
  #chargesNow: ChargesOf | null = null
  #arrivals = 0

  constructor({ store, returns, clock, jitterMs = () => 0, ...limits }: WaitingRoomOptions) {
    this.#clock = clock
    this.#waiters = new Waiters(limits)
    this.#queues = new Queues(clock, jitterMs, this.#waiters)
    this.#store = store
    this.#calls = new AskedCalls(store, clock)
    returns.onReturn((keys) => {
      this.#calls.outdate(keys)
      this.#queues.wake(keys)
    })
  }

  /** Takes the charges of a call that may wait, at once or after waiting. When limits change during the wait, the
   *  charges are computed again from `requests`. A call that brings its own deadline finds in the decision how long it
   *  could wait. Rejects with the signal's reason when the signal aborts first; the call has taken nothing then. */
  admit(
    charges: readonly Charge[],
    requests: readonly LimitRequest[],
    options: Pick<Arrival, 'signal' | 'waitMs'> = {},
  ): Promise<Permit> {
    const { signal } = options
    if (signal?.aborted) return Promise.reject(signal.reason)
    this.#arrivals += 1
    const since = this.#clock.now()
    const call = new WaitingCall({ ...options, number: this.#arrivals, charges, since, subject: payerOf(requests) })
    const work = this.#admit(call, requests)
    return abortable(
      work,
      signal,
      () => call.giveUp(),
      (permit) => permit.refund(),
    )
  }

  /** To be called when limits have changed: every waiting call asks again at once, with charges by `chargesNow`. */
  renew(chargesNow: ChargesOf): void {
    // A new function each time: a call is charged again when the function differs from its own.
    this.#chargesNow = (requests) => chargesNow(requests)
    this.#queues.askAll()
  }

  /** Refuses all waiting calls. From now on no call may wait. */
  async close(): Promise<void> {
    this.#waiters.shut()
    this.#queues.dismissAll()
    await this.#waiters.dismissAll()
  }

  async #admit(call: WaitingCall, requests: readonly LimitRequest[]): Promise<Permit> {
    try {
      const permit = await this.#pace(call, await this.#queueUp(call, requests))
      const { ownWait } = call
      if (!this.#waiters.has(call)) return ownWait ? permit.after(ownWait) : permit
      const waitedMs = this.#clock.now() - call.since
      return permit.after({ ...ownWait, waitedMs }, waitedMs > 0 ? call.heldBy : null)
    } finally {
      this.#waiters.end(call)
    }
  }

  async #queueUp(call: WaitingCall, requests: readonly LimitRequest[]): Promise<Permit> {
    let chargesOf = this.#chargesNow
    let queue = this.#queues.before(call)
    if (queue && !this.#waiters.admit(call)) {
      queue.hold(call)
      return this.#calls.refuse(call)
    }
    queue?.enter(call)
    try {
      for (;;) {
        if (queue && !(await call.turn)) return await this.#calls.refuse(call)
        if (this.#chargesNow && chargesOf !== this.#chargesNow) {
          chargesOf = this.#chargesNow
          call.charge(chargesOf(requests))
        }
        const permit = await this.#calls.ask(call)
        // From here on in one step: a release of permits finds the call either asking, which outdates its answer, or
        // already in its next queue, which it wakes.
        this.#calls.end(call)
        call.isOutdated ||= chargesOf !== this.#chargesNow
        queue = this.#queues.move(call, queue, permit)
        if (!queue) return permit
      }
    } finally {
      this.#calls.end(call)
      if (queue) this.#queues.leave(call, queue)
    }
  }

  /** Delays an admitted call until its turn in a bucket that paces; refunds and refuses it when it cannot wait so long. */
  async #pace(call: WaitingCall, permit: Permit): Promise<Permit> {
    const { decision, receipt } = permit
    if (decision.delayMs === 0 || call.signal?.aborted) return permit
    call.heldBy = pacedBy(receipt)
    call.heldUntil = this.#clock.now() + decision.delayMs
    const parts = { clock: this.#clock, store: this.#store }
    if (this.#waiters.admit(call) && (await holdUntilTurn(call, receipt, parts))) return permit.after({ delayMs: 0 })
    await permit.refund()
    return this.#calls.refuse(call)
  }
}

/** The subject whose place a call takes: that of its first request, which is the caller's own. */
function payerOf([first]: readonly LimitRequest[]): string {
  return first ? subjectOf('subject', first.caller) : ''
}

/** Whether a set of the call lets it wait. Calls that may not wait need not ask here: the queues hold only keys of sets
 *  that wait. */
export function mayWait(charges: readonly Charge[]): boolean {
  for (const { facts } of charges) if (facts.waitMs > 0) return true
  return false
}
