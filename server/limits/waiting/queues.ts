import type { Clock } from '../clock.ts'
import type { Permit } from '../permit.ts'
import { answerOf, isPaced, isReleased, refusalsIn } from './answers.ts'
import { Queue } from './queue.ts'
import type { Waiters } from './waiters.ts'
import type { WaitingCall } from './waiting-call.ts'

/** The queues of all keys that calls wait for. A call is in one queue at a time, that of the rule with its longest
 *  wait; in another queue it keeps its place by arrival. Before there is a queue, simultaneous calls ask the store
 *  together, and pass in its order. */
export class Queues {
  readonly #clock: Clock
  readonly #jitterMs: () => number
  readonly #waiters: Waiters
  readonly #byKey = new Map<string, Queue>()

  constructor(clock: Clock, jitterMs: () => number, waiters: Waiters) {
    this.#clock = clock
    this.#jitterMs = jitterMs
    this.#waiters = waiters
  }

  /** The queue in which earlier calls wait for permits of one of the call's keys. */
  before(call: WaitingCall): Queue | undefined {
    const queues = call.patient.map(({ key }) => this.#byKey.get(key))
    const queue = queues.find((each) => each && each.size > 0)
    const charge = call.patient.find(({ key }) => key === queue?.key)
    if (charge) call.waitWithin(charge.facts.waitMs)
    return queue
  }

  /** Moves the call after an answer: out of its queue, and into the one where it waits next, which is returned. */
  move(call: WaitingCall, queue: Queue | undefined, answer: Permit): Queue | undefined {
    const next = this.#after(call, answer)
    if (queue && queue !== next) this.#remove(call, queue, heardOn(queue.key, call, answer))
    next?.enter(call, heardOn(next.key, call, answer))
    return next
  }

  leave(call: WaitingCall, queue: Queue): void {
    this.#remove(call, queue)
  }

  /** To be called when permits of the keys were released. */
  wake(keys: readonly string[]): void {
    for (const key of keys) this.#byKey.get(key)?.wake()
  }

  /** To be called when limits have changed. */
  askAll(): void {
    for (const queue of this.#byKey.values()) queue.askAll()
  }

  dismissAll(): void {
    for (const queue of this.#byKey.values()) queue.dismissAll()
  }

  /** Returns the queue in which the call waits after a refusal. Undefined when it passed, cannot pass by its deadline,
   *  or may not wait. */
  #after(call: WaitingCall, { decision, receipt }: Permit): Queue | undefined {
    const refusals = refusalsIn(receipt)
    const [longest] = refusals
    if (decision.allowed || !longest || call.signal?.aborted) return undefined
    call.waitWithin(Math.min(...refusals.map(({ charge }) => charge.facts.waitMs)))
    const known = refusals.filter(({ charge }) => !call.isOutdated && !isReleased(charge))
    const isInTime = this.#clock.now() + Math.max(1, ...known.map(({ ms }) => ms)) <= call.deadline
    if (!isInTime || refusals.some(({ charge }) => isPaced(charge))) return undefined
    if (!this.#waiters.admit(call)) return undefined
    const { key } = longest.charge
    const queue = this.#byKey.get(key) ?? new Queue(key, this.#clock, this.#jitterMs)
    this.#byKey.set(key, queue)
    return queue
  }

  #remove(call: WaitingCall, queue: Queue, heard?: ReturnType<typeof heardOn>): void {
    queue.leave(call, heard)
    if (queue.size === 0 && this.#byKey.get(queue.key) === queue) this.#byKey.delete(queue.key)
  }
}

/** The answer about the key for its queue: null when it may be outdated because permits were released in the meantime,
 *  and undefined when the store was not asked about the key. */
function heardOn(key: string, call: WaitingCall, { receipt }: Permit) {
  return call.isOutdated ? null : answerOf(key, receipt)
}
