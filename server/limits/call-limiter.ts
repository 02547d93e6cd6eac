import { chargesOf, type LimitRequest, type Moment } from './charges.ts'
import type { HeldClock } from './clock.ts'
import type { OnTaken } from './deciders/decider.ts'
import { type Decision, UNLIMITED } from './decision.ts'
import type { Fleet } from './fleet/fleet.ts'
import { Later } from './later.ts'
import { type Override, Overrides } from './overrides.ts'
import { nothingTaken, Permit, type Taken } from './permit.ts'
import type { CompiledRuleSet } from './rules/compiled.ts'
import type { CallStats } from './stats/call-stats.ts'
import type { CountsCall } from './stats/label-counter.ts'
import type { LimiterStats } from './stats/limiter-stats.ts'
import type { Charge } from './store.ts'
import type { CircuitBreaker } from './stores/circuit-breaker.ts'
import type { AnyCaller } from './subject.ts'
import type { WaitingRoom } from './waiting/waiting-room.ts'

export interface CallOptions {
  /** What stats count the call under, such as the procedure's path; its rule sets by default. */
  readonly label?: string | undefined
  /** A call whose signal aborts before it is decided rejects with the signal's reason, and has taken nothing. */
  readonly signal?: AbortSignal | undefined
  /** Whether it is counted as a call of its label; always, where nothing is said. */
  readonly countsCall?: CountsCall | undefined
}

interface Parts {
  readonly clock: HeldClock
  readonly room: WaitingRoom
  readonly moment: Moment
  readonly stats: CallStats
  readonly fleet: Fleet
  readonly breaker?: CircuitBreaker
  readonly onOverride?: () => void
}

/** An admitted call that nothing special happened to. */
interface Passed {
  readonly label: string | undefined
  readonly charges: readonly Charge[]
  readonly taken: Taken
  readonly countsCall: CountsCall | undefined
}

/** The implementation of Limiter (limiter.ts, which documents the methods): applies overrides, makes the charges, has
 *  them decided, and counts each answer in the statistics. */
export class CallLimiter {
  readonly fleet: Fleet
  readonly #parts: Parts
  readonly #overrides = new Overrides()
  /** Plain passes that are not in the statistics yet. Null in process, where they are counted at once. */
  readonly #uncounted: Later<Passed> | null

  constructor(parts: Parts) {
    this.fleet = parts.fleet
    this.#parts = parts
    this.#uncounted = parts.breaker
      ? new Later(({ label, charges, taken, countsCall }) => parts.stats.count(label, charges, taken, countsCall))
      : null
    parts.fleet.show(() => JSON.stringify(this.#stats.snapshot()))
  }

  take(sets: readonly CompiledRuleSet[], caller: AnyCaller, cost = 1): Promise<Decision> {
    // Not by `promised`: its closure would add a tenth to the garbage of an in-process decision.
    try {
      return Promise.resolve(this.#decide([{ sets, caller, cost }], NO_OPTIONS, this.#countedDecision))
    } catch (error) {
      return Promise.reject(error)
    }
  }

  reserve(requests: readonly LimitRequest[], options?: CallOptions): Promise<Permit> {
    return promised(() => this.obtain(requests, options))
  }

  obtain(requests: readonly LimitRequest[], options: CallOptions = NO_OPTIONS): Permit | Promise<Permit> {
    return this.#decide(requests, options, (taken, charges) => {
      this.#count(options, charges, taken)
      return new Permit(taken, this.#parts.room).keep()
    })
  }

  free(label: string, sets: readonly CompiledRuleSet[], countsCall?: CountsCall): void {
    this.#parts.stats.free(label, sets, countsCall)
  }

  stats(): LimiterStats {
    return this.#stats.stats(this.fleet.snapshots())
  }

  ownStats(): LimiterStats {
    return this.#stats.stats([])
  }

  async peek(requests: readonly LimitRequest[]): Promise<Decision> {
    const charges = this.#chargesOf(requests.map(ofOneByte))
    return charges.length === 0 ? UNLIMITED : this.#parts.room.peek(charges)
  }

  async reset(requests: readonly LimitRequest[]): Promise<void> {
    await this.#parts.room.reset(this.#chargesOf(requests.map(ofOnePermit)))
  }

  override(overrides: readonly Override[]): void {
    this.#overrides.replace(overrides)
    this.#parts.onOverride?.()
    this.#parts.room.renew((requests) => this.#chargesOf(requests))
  }

  status(): 'ready' | 'degraded' {
    return this.#parts.breaker?.isFailing ? 'degraded' : 'ready'
  }

  async check(): Promise<'ready' | 'degraded'> {
    await this.#parts.breaker?.probe()
    return this.status()
  }

  async close(): Promise<void> {
    const { room, breaker } = this.#parts
    await room.close()
    await this.fleet.close()
    await breaker?.close()
  }

  #chargesOf(requests: readonly LimitRequest[]): readonly Charge[] {
    return chargesOf(this.#overrides.inForce(requests), this.#parts.moment)
  }

  /** Holds the clock, so that everything decided synchronously has one time. Not async: the state of an async function
   *  would add half as much again to the garbage of an in-process decision. */
  #decide<T>(requests: readonly LimitRequest[], { label, signal }: CallOptions, onTaken: OnTaken<T>): T | Promise<T> {
    const { clock, room, stats } = this.#parts
    clock.hold()
    try {
      const charges = this.#chargesOf(requests)
      if (charges.length === 0) return onTaken(NOTHING_TAKEN, charges)
      const decided = room.decide(charges, onTaken, signal, requests)
      if (!signal || !(decided instanceof Promise)) return decided
      return decided.catch((error: unknown) => {
        if (signal.aborted) stats.abandon(label, charges)
        throw error
      })
    } finally {
      clock.letGo()
    }
  }

  readonly #countedDecision = (taken: Taken, charges: readonly Charge[]): Decision => {
    this.#count(NO_OPTIONS, charges, taken)
    return taken.decision
  }

  #count({ label, countsCall }: CallOptions, charges: readonly Charge[], taken: Taken): void {
    if (charges.length === 0) return
    if (this.#uncounted && isPlainPass(taken)) this.#uncounted.add({ label, charges, taken, countsCall })
    else this.#stats.count(label, charges, taken, countsCall)
  }

  /** The statistics, with every call counted. */
  get #stats(): CallStats {
    this.#uncounted?.finish()
    return this.#parts.stats
  }
}

function isPlainPass({ decision, waitedFor }: Taken): boolean {
  return decision.allowed && !decision.degradedBy && !decision.shadowedBy && waitedFor === null
}

/** A peek may leave out the bytes; it asks for one then. */
function ofOneByte(request: LimitRequest): LimitRequest {
  return { ...request, bytes: request.bytes ?? 1 }
}

/** A reset needs keys only, and has no input from which a cost could be computed. */
function ofOnePermit(request: LimitRequest): LimitRequest {
  return { ...request, sets: request.sets.map((set) => ({ ...set, facts: { ...set.facts, cost: 1 } })) }
}

/** Like an async function, but without the garbage of one. */
function promised<T>(decide: () => T | Promise<T>): Promise<T> {
  try {
    return Promise.resolve(decide())
  } catch (error) {
    return Promise.reject(error)
  }
}

const NO_OPTIONS: CallOptions = {}

const NOTHING_TAKEN = nothingTaken(UNLIMITED)
