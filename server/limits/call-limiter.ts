import type { BlockList } from './block-list.ts'
import { chargeOfKey, type Moment } from './charge.ts'
import { chargesOf, type LimitRequest } from './charges.ts'
import type { HeldClock } from './clock.ts'
import { type Decision, decide, EXEMPT, UNLIMITED } from './decision.ts'
import type { Fleet } from './fleet/fleet.ts'
import { Later } from './later.ts'
import { type AddedSet, type Override, Overrides, type Trial } from './overrides.ts'
import { type DecidedCall, Permit } from './permit.ts'
import { type RuleStates, readRuleStates } from './rule-states.ts'
import type { CompiledRuleSet } from './rules/compiled.ts'
import type { CallStats } from './stats/call-stats.ts'
import type { CountsCall } from './stats/label-counter.ts'
import type { LimiterStats } from './stats/limiter-stats.ts'
import type { Charge, LimitStore, Receipt } from './store.ts'
import type { CircuitBreaker } from './stores/failover/circuit-breaker.ts'
import type { AnyCaller } from './subject.ts'
import { mayWait, type WaitingRoom } from './waiting/waiting-room.ts'

export interface CallOptions {
  /** What stats count the call under, such as the procedure's path; its rule sets by default. */
  readonly label?: string | undefined
  /** A call whose signal aborts before it is decided rejects with the signal's reason, and has taken nothing. */
  readonly signal?: AbortSignal | undefined
  /** How long it waits for its permit, in milliseconds: at most as long as its sets say, which is the default. */
  readonly waitMs?: number | undefined
  /** Whether it is counted as a call of its label; 'always' by default. */
  readonly countsCall?: CountsCall | undefined
  /** The request that the call is part of, for those that look for its refusal. */
  readonly requestId?: string | undefined
}

export interface CallLimiterOptions {
  readonly clock: HeldClock
  /** The outermost layer around the stores. */
  readonly store: LimitStore
  readonly room: WaitingRoom
  readonly moment: Moment
  readonly stats: CallStats
  readonly fleet: Fleet
  readonly breaker?: CircuitBreaker
  /** Called when overrides have changed. */
  readonly onOverride?: (overrides: readonly Override[]) => void
  readonly blocks: () => Promise<BlockList>
  readonly onRefused?: ((call: DecidedCall, options: CallOptions) => void) | undefined
}

/** An allowed call without an exceptional outcome. */
interface PlainPass {
  readonly call: DecidedCall
  readonly options: CallOptions
}

/** Counts a call, and returns what its method returns. A call that has waited has a permit already. */
type Conclude<T> = (receipt: Receipt, options: CallOptions, permit?: Permit) => T

/** The implementation of Limiter (limiter.ts, which documents the methods): applies overrides, makes the charges, has
 *  them decided, and counts each answer in the statistics. */
export class CallLimiter {
  readonly fleet: Fleet
  readonly #options: CallLimiterOptions
  readonly #overrides = new Overrides()
  /** The permit of calls without charges. */
  readonly #free: Permit
  /** Plain passes that are not in the statistics yet. Null in process, where they are counted at once. */
  readonly #uncounted: Later<PlainPass> | null

  constructor(options: CallLimiterOptions) {
    const { fleet, breaker } = options
    this.fleet = fleet
    this.#options = options
    this.#free = new Permit(NO_CHARGES, options.store, UNLIMITED)
    this.#uncounted = breaker ? new Later((passes) => this.#countAll(passes)) : null
    fleet.show(() => JSON.stringify(this.#stats.snapshot()))
  }

  take(sets: readonly CompiledRuleSet[], caller: AnyCaller, cost = 1): Promise<Decision> {
    // Not by `promised`: its closure would add a tenth to the garbage of an in-process decision.
    try {
      return Promise.resolve(this.#admit([{ sets, caller, cost }], NO_OPTIONS, this.#toDecision))
    } catch (error) {
      return Promise.reject(error)
    }
  }

  reserve(requests: readonly LimitRequest[], options?: CallOptions): Promise<Permit> {
    return promised(() => this.obtain(requests, options))
  }

  obtain(requests: readonly LimitRequest[], options: CallOptions = NO_OPTIONS): Permit | Promise<Permit> {
    return this.#admit(requests, options, this.#toPermit)
  }

  free(label: string, sets: readonly CompiledRuleSet[], countsCall?: CountsCall): Decision {
    this.#options.stats.free(label, sets, countsCall)
    return EXEMPT
  }

  async penalize(permit: Permit, label?: string): Promise<void> {
    this.#options.stats.penalize(label, await permit.penalize())
  }

  stats(): LimiterStats {
    return this.#stats.stats(this.fleet.snapshots())
  }

  ownStats(): LimiterStats {
    return this.#stats.stats([])
  }

  async peek(requests: readonly LimitRequest[]): Promise<Decision> {
    const charges = this.#chargesOf(requests.map(ofOneByte))
    return charges.length === 0 ? UNLIMITED : decide(await this.#options.store.apply({ type: 'peek', charges }))
  }

  async states(requests: readonly LimitRequest[]): Promise<RuleStates> {
    return readRuleStates(this.#chargesOf(requests.map(ofOneByte)), this.#options.store)
  }

  async reset(requests: readonly LimitRequest[]): Promise<void> {
    await this.#options.store.apply({ type: 'reset', charges: this.#chargesOf(requests.map(ofOnePermit)) })
  }

  async resetKey(set: CompiledRuleSet, key: string): Promise<void> {
    await this.#options.store.apply({ type: 'reset', charges: [chargeOfKey(set, key, this.#options.moment)] })
  }

  blocks(): Promise<BlockList> {
    return this.#options.blocks()
  }

  addedTo(procedure: string): readonly CompiledRuleSet[] | undefined {
    return this.#overrides.addedTo(procedure)
  }

  override(overrides: readonly Override[], added?: readonly AddedSet[], trials: readonly Trial[] = []): void {
    this.#overrides.replace(overrides, added, trials)
    this.#options.stats.follow(trials)
    this.#options.onOverride?.(overrides)
    this.#options.room.renew((requests) => this.#chargesOf(requests))
  }

  status(): 'ready' | 'degraded' {
    return this.#options.breaker?.isFailing ? 'degraded' : 'ready'
  }

  async check(): Promise<'ready' | 'degraded'> {
    await this.#options.breaker?.probe()
    return this.status()
  }

  async close(): Promise<void> {
    const { room, store } = this.#options
    await room.close()
    await this.fleet.close()
    await store.close()
  }

  #chargesOf(requests: readonly LimitRequest[]): readonly Charge[] {
    const { moment } = this.#options
    return this.#overrides.withBlocks(chargesOf(this.#overrides.inForce(requests), moment), moment)
  }

  /** Has the call decided, and returns what `conclude` makes of it. Holds the clock, so that everything decided
   *  synchronously has one time. Not async, and with one promise of its own at most: the state of an async function
   *  would add half as much again to the garbage of an in-process decision. */
  #admit<T>(requests: readonly LimitRequest[], options: CallOptions, conclude: Conclude<T>): T | Promise<T> {
    const { clock, store } = this.#options
    const { signal } = options
    clock.hold()
    try {
      const charges = this.#chargesOf(requests)
      if (charges.length === 0) return conclude(NO_CHARGES, options, this.#free)
      if (mayWait(charges)) return this.#wait(charges, requests, options, conclude)
      if (signal?.aborted) return this.#abandon(charges, options, signal)
      const receipt = store.apply({ type: 'take', charges })
      if (!(receipt instanceof Promise)) return conclude(receipt, options)
      return this.#admitLater(receipt, options, conclude)
    } finally {
      clock.letGo()
    }
  }

  #admitLater<T>(receipt: Promise<Receipt>, options: CallOptions, conclude: Conclude<T>): Promise<T> {
    return receipt.then((known) => {
      const { signal } = options
      if (!signal?.aborted) return conclude(known, options)
      const permit = new Permit(known, this.#options.store)
      return permit.refund().then(() => this.#abandon(known.charges, options, signal))
    })
  }

  #wait<T>(
    charges: readonly Charge[],
    requests: readonly LimitRequest[],
    options: CallOptions,
    conclude: Conclude<T>,
  ): Promise<T> {
    const { signal } = options
    const waiting = this.#options.room.admit(charges, requests, options)
    return waiting.then(
      (permit) => conclude(permit.receipt, options, permit),
      (error: unknown) => {
        if (!signal?.aborted) throw error
        return this.#abandon(charges, options, signal)
      },
    )
  }

  /** Rejects a call that was cancelled and has taken nothing. */
  #abandon(charges: readonly Charge[], { label }: CallOptions, signal: AbortSignal): Promise<never> {
    this.#options.stats.abandon(label, charges)
    return Promise.reject(signal.reason)
  }

  /** Without a permit, which nobody would end. */
  readonly #toDecision: Conclude<Decision> = (receipt, options, permit) => {
    const call = permit ?? { decision: decide(receipt), receipt, waitedFor: null }
    this.#count(call, options)
    return call.decision
  }

  readonly #toPermit: Conclude<Permit> = (receipt, options, permit = new Permit(receipt, this.#options.store)) => {
    this.#count(permit, options)
    return permit.keep()
  }

  #count(call: DecidedCall, options: CallOptions): void {
    if (call.receipt.charges.length === 0) return
    if (!call.decision.allowed) this.#options.onRefused?.(call, options)
    if (this.#uncounted && isPlainPass(call)) this.#uncounted.add({ call, options })
    else this.#stats.count(options.label, call, options.countsCall)
  }

  /** All charges get the same time, which is read once. */
  #countAll(passes: readonly PlainPass[]): void {
    const { clock, stats } = this.#options
    clock.during(() => {
      for (const { call, options } of passes) stats.count(options.label, call, options.countsCall)
    })
  }

  /** The statistics, with every call counted. */
  get #stats(): CallStats {
    this.#uncounted?.finish()
    return this.#options.stats
  }
}

function isPlainPass({ decision, waitedFor }: DecidedCall): boolean {
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

const NO_CHARGES: Receipt = { charges: [], lines: [], answeredBy: 'policy' }
