import { type Answered, answeredOf } from '../by-charge.ts'
import type { LimitRequest } from '../charges.ts'
import type { Clock } from '../clock.ts'
import type { Decider, OnTaken } from '../deciders/decider.ts'
import type { Decision } from '../decision.ts'
import { type Amender, giveBack, type Taken } from '../permit.ts'
import type { Charge, Operation } from '../store.ts'
import { abortable } from './abortable.ts'
import { isPaced, isReleased, pacedBy, refusalsIn } from './answers.ts'
import { CallDecider } from './call-decider.ts'
import { Queue } from './queue.ts'
import { Turns } from './turns.ts'
import { WaitingCall } from './waiting-call.ts'

/** How many calls may wait at a time. Further ones are refused as if their sets had no `wait`. */
export interface WaitingLimits {
  /** For the permits of one key, or for their turn in one bucket that paces; 100 by default. */
  readonly waitersPerKey?: number | undefined
  /** In all; 1,000 by default. */
  readonly waitersPerProcess?: number | undefined
}

export interface WaitingRoomOptions extends WaitingLimits {
  readonly decider: Decider
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

/** Lets calls wait for their permits where their rule sets say so, first come, first served within this process: a
 *  queue per key, of which only the first asks. The design is that of Redisson's RRateLimiter.acquire, mended: there
 *  all waiters wake at one instant and race, a wake-up can be missed, and who has no deadline may wait for ever. Here a
 *  queue keeps the time of its first, whatever comes back in this process wakes it, and every call has a deadline.
 *
 *  A call stands in one queue at a time, that of the rule which refuses it for longest; when it moves to another it
 *  stands there by its arrival too. Before there is a queue, calls that come at once are with the store at once, and
 *  pass in its order. */
export class WaitingRoom implements Amender {
  readonly #decider: Decider
  readonly #calls: CallDecider
  readonly #clock: Clock
  readonly #jitterMs: () => number
  readonly #perKey: number
  readonly #perProcess: number
  readonly #turns: Turns
  readonly #queues = new Map<string, Queue>()
  readonly #waiting = new Map<WaitingCall, PromiseWithResolvers<void>>()
  /** Computes a call's charges by the limits in force now; null until limits have changed for the first time. */
  #chargesNow: ChargesOf | null = null
  #arrivals = 0
  #isClosed = false

  constructor(options: WaitingRoomOptions) {
    this.#decider = options.decider
    this.#clock = options.clock
    this.#calls = new CallDecider(options.decider, options.clock, (key) => this.#queues.get(key)?.wake())
    this.#jitterMs = options.jitterMs ?? (() => 0)
    this.#perKey = options.waitersPerKey ?? 100
    this.#perProcess = options.waitersPerProcess ?? 1_000
    this.#turns = new Turns(options.clock, this.#perKey, this)
  }

  /** Takes the charges, at once or after waiting, and returns what `onTaken` returns. When limits change during the
   *  wait, the charges are computed anew from `requests`. Rejects with the signal's reason when the signal aborts
   *  first; the call has taken nothing then. */
  decide<T>(
    charges: readonly Charge[],
    onTaken: OnTaken<T>,
    signal?: AbortSignal,
    requests: readonly LimitRequest[] = [],
  ): T | Promise<T> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    // No set lets the call wait, and calls of other sets that do wait count other keys.
    if (!mayWait(charges)) return this.#decider.decide(charges, signal ? this.#unlessAborted(signal, onTaken) : onTaken)
    this.#arrivals += 1
    const call = new WaitingCall(this.#arrivals, charges, this.#clock.now(), signal)
    const abort = { tell: () => call.giveUp(), undo: (taken: Taken) => giveBack(taken, this) }
    return abortable(this.#admit(call, requests), signal, abort).then((taken) => onTaken(taken, charges))
  }

  /** The decision that `decide` would make now. Charges nothing. */
  peek(charges: readonly Charge[]): Decision | Promise<Decision> {
    return this.#decider.peek(charges)
  }

  amend(taken: Taken, operation: Operation): Promise<void> {
    return this.#calls.amend(taken, operation)
  }

  /** Forgets what was charged. */
  reset(charges: readonly Charge[]): Promise<void> {
    return this.#calls.reset(charges)
  }

  /** Limits have changed: every waiting call asks again at once, with charges by `chargesNow`. */
  renew(chargesNow: ChargesOf): void {
    // A new function each time: a call is charged anew when it finds another than its own.
    this.#chargesNow = (requests) => chargesNow(requests)
    for (const queue of this.#queues.values()) queue.askAll()
  }

  /** Refuses all waiting calls. From now on no call may wait. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const queue of this.#queues.values()) queue.dismissAll()
    const ends = [...this.#waiting].map(([call, { promise }]) => {
      call.giveUp()
      return promise
    })
    await Promise.all(ends)
  }

  async #admit(call: WaitingCall, requests: readonly LimitRequest[]): Promise<Taken> {
    try {
      const taken = await this.#pace(call, await this.#queueUp(call, requests))
      if (!this.#waiting.has(call)) return taken
      const waitedMs = this.#clock.now() - call.since
      const waitedFor = waitedMs > 0 ? call.heldBy : null
      return { ...taken, decision: { ...taken.decision, waitedMs }, waitedFor }
    } finally {
      this.#waiting.get(call)?.resolve()
      this.#waiting.delete(call)
    }
  }

  async #queueUp(call: WaitingCall, requests: readonly LimitRequest[]): Promise<Taken> {
    let chargesOf = this.#chargesNow
    let queue = this.#queueBefore(call)
    if (queue && !this.#letEnter(call, queue)) {
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
        const taken = await this.#calls.ask(call, (answer) => {
          call.isOutdated ||= chargesOf !== this.#chargesNow
          queue = this.#move(call, queue, answer)
        })
        if (!queue) return taken
      }
    } finally {
      this.#leave(queue, call)
    }
  }

  /** Moves the call after an answer: out of its queue, and into the one where it waits next, which is returned. */
  #move(call: WaitingCall, queue: Queue | undefined, taken: Taken): Queue | undefined {
    const next = this.#queueAfter(call, taken)
    if (queue !== next) this.#leave(queue, call, taken)
    next?.enter(call, heardOn(next.key, call, taken))
    return next
  }

  /** The queue in which earlier calls wait for permits of one of the call's keys. */
  #queueBefore(call: WaitingCall): Queue | undefined {
    const queues = call.patient.map(({ key }) => this.#queues.get(key))
    const queue = queues.find((each) => each && each.size > 0)
    const charge = call.patient.find(({ key }) => key === queue?.key)
    if (charge) call.deadline = call.since + charge.facts.waitMs
    return queue
  }

  /** The queue in which the call waits after a refusal. Undefined when it passed, cannot pass by its deadline, or may
   *  not wait. */
  #queueAfter(call: WaitingCall, { decision, asked, answers }: Taken): Queue | undefined {
    const refusals = refusalsIn(answeredOf(asked, answers))
    const [longest] = refusals
    if (decision.allowed || !longest || call.signal?.aborted) return undefined
    call.deadline = call.since + Math.min(...refusals.map(({ charge }) => charge.facts.waitMs))
    const known = refusals.filter(({ charge }) => !call.isOutdated && !isReleased(charge))
    const isInTime = this.#clock.now() + Math.max(1, ...known.map(({ ms }) => ms)) <= call.deadline
    if (!isInTime || refusals.some(({ charge }) => isPaced(charge))) return undefined
    const { key } = longest.charge
    const queue = this.#queues.get(key) ?? new Queue(key, this.#clock, this.#jitterMs)
    if (!this.#letEnter(call, queue)) return undefined
    this.#queues.set(key, queue)
    return queue
  }

  #letEnter(call: WaitingCall, queue: Queue): boolean {
    if (queue.size >= this.#perKey && !queue.has(call)) return false
    return this.#letWait(call)
  }

  /** Registers the call as waiting; false when no more calls may wait. */
  #letWait(call: WaitingCall): boolean {
    if (this.#isClosed) return false
    if (this.#waiting.has(call)) return true
    if (this.#waiting.size >= this.#perProcess) return false
    this.#waiting.set(call, Promise.withResolvers())
    return true
  }

  #leave(queue: Queue | undefined, call: WaitingCall, taken?: Taken): void {
    if (!queue) return
    queue.leave(call, taken && heardOn(queue.key, call, taken))
    if (queue.size === 0 && this.#queues.get(queue.key) === queue) this.#queues.delete(queue.key)
  }

  /** Holds an admitted call until its turn in a bucket that paces; refunds and refuses it when it cannot wait so
   *  long. */
  async #pace(call: WaitingCall, taken: Taken): Promise<Taken> {
    const { decision } = taken
    if (decision.delayMs === 0 || call.signal?.aborted) return taken
    call.heldBy = pacedBy(answeredOf(taken.asked, taken.answers))
    call.heldUntil = this.#clock.now() + decision.delayMs
    const mayWait = this.#turns.hasRoom(taken) && this.#letWait(call)
    if (mayWait && (await this.#turns.hold(call, taken))) return { ...taken, decision: { ...decision, delayMs: 0 } }
    await giveBack(taken, this)
    return this.#calls.refuse(call)
  }

  /** Like `onTaken`, but refunds a call whose signal has aborted meanwhile, and rejects. */
  #unlessAborted<T>(signal: AbortSignal, onTaken: OnTaken<T>): OnTaken<T> {
    return (taken, charges) => (signal.aborted ? this.#leaveAgain(taken, signal) : onTaken(taken, charges))
  }

  async #leaveAgain(taken: Taken, signal: AbortSignal): Promise<never> {
    await giveBack(taken, this)
    throw signal.reason
  }
}

type ChargesOf = (requests: readonly LimitRequest[]) => readonly Charge[]

/** The answer about the key for its queue: null when permits came back meanwhile, so that it may be outdated, and
 *  undefined when the call does not charge the key. */
function heardOn(key: string, call: WaitingCall, { asked, answers }: Taken): Answered | null | undefined {
  return call.isOutdated ? null : answeredOf(asked, answers).find(({ charge }) => charge.key === key)
}

/** Whether a set of the call lets it wait. */
function mayWait(charges: readonly Charge[]): boolean {
  for (const { facts } of charges) if (facts.waitMs > 0) return true
  return false
}
