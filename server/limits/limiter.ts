/** The limiter as the rest of the server uses it.
 *
 *      const sets = compileRuleSets('image.upload', meta.limits)  // once, at start
 *      const decision = await limiter.take(sets, caller)          // when nothing is refunded afterwards
 *
 *      const permit = await limiter.reserve(                      // several subjects, still all or nothing
 *        [{ sets, caller, bytes: 20_000_000 }, { sets: perAddress, caller: { subject: address } }],
 *        { label: 'image.upload', signal },                       // the label in statistics; an abort ends a wait
 *      )
 *      const refusal = refusalOf(permit.decision)                 // null, or why: a refusal has charged nothing
 *      await permit.settle(12_345)                                // what it moved, not what it declared
 *      await permit.end('succeeded')                              // refunds its lease, and sets that count failures
 *      await permit.refund()                                      // or, instead of the end: refunds everything
 *      await limiter.penalize(permit, 'image.upload')             // it was abuse: charges what its sets say
 *
 *      await limiter.peek([{ sets, caller }])                     // what `reserve` would decide; charges nothing
 *      await limiter.reset([{ sets, caller }])                    // forgets what the caller has used
 *
 *  Where every rule set that refuses a call says `wait`, `take` and `reserve` hold it until its permit comes, first
 *  come first served in this process, if that is in time (waiting/waiting-room.ts); `decision.waitedMs` says how long.
 *  A call may shorten that by its own `waitMs`; 0 refuses it at once.
 *
 *  A refusal is a value, a `Decision` (decision.ts): `refusalOf(decision)` (describe.ts) is what an error carries,
 *  `rateLimitHeaders([decision])` (headers.ts) what a response does. Calls throw for bugs, such as a cost above the limit or
 *  a key charged twice, with the reason of their signal, and for a reset while the store fails. */

import { randomUUID } from 'node:crypto'
import type { BlockList } from './block-list.ts'
import { CallLimiter, type CallOptions } from './call-limiter.ts'
import type { Moment } from './charge.ts'
import type { LimitRequest } from './charges.ts'
import { type Clock, HeldClock, systemClock, wallClock } from './clock.ts'
import type { Decision } from './decision.ts'
import { type Fleet, SoloFleet } from './fleet/fleet.ts'
import { RedisFleet } from './fleet/redis-fleet.ts'
import type { AddedSet, Override, Trial } from './overrides.ts'
import type { DecidedCall, Permit } from './permit.ts'
import { Returns } from './returns.ts'
import type { RuleStates } from './rule-states.ts'
import type { CompiledRuleSet } from './rules/compiled.ts'
import type { CallEvent, EventsDropped } from './stats/call-event.ts'
import { CallStats } from './stats/call-stats.ts'
import type { CountsCall } from './stats/label-counter.ts'
import type { LimiterStats } from './stats/limiter-stats.ts'
import type { Charge } from './store.ts'
import { CircuitBreaker, type StoreEvent } from './stores/failover/circuit-breaker.ts'
import { FailoverStore } from './stores/failover/failover-store.ts'
import { ManualBlocks } from './stores/manual-blocks.ts'
import { MemoryStore } from './stores/memory/memory-store.ts'
import { openStore } from './stores/open-store.ts'
import { RememberedRefusals } from './stores/refusals/remembered-refusals.ts'
import type { AnyCaller } from './subject.ts'
import type { WaitingLimits } from './waiting/waiters.ts'
import { jitterBetweenProcesses, WaitingRoom } from './waiting/waiting-room.ts'

export interface Limiter {
  /** Takes `cost` permits (1 by default) from every rule of every set, or from none. Waits where the sets say so. */
  take(sets: readonly CompiledRuleSet[], caller: AnyCaller, cost?: number): Promise<Decision>
  /** Takes permits for several requests at once, from all or from none. The holder of the permit must end it with the
   *  call. Rejects with the signal's reason when the signal aborts while the call waits; nothing is taken then. */
  reserve(requests: readonly LimitRequest[], options?: CallOptions): Promise<Permit>
  /** The same, but returns the permit itself when it can be decided synchronously, for calls that are answered faster
   *  than a promise resolves. Then it throws what `reserve` would reject with. */
  obtain(requests: readonly LimitRequest[], options?: CallOptions): Permit | Promise<Permit>
  /** Counts the call of an exempt caller in the statistics, and returns the decision about it. Asks no store. */
  free(label: string, sets: readonly CompiledRuleSet[], countsCall?: CountsCall): Decision
  /** Charges the penalties of the permit's sets for a call that has turned out abusive, and counts them in the statistics
   *  of the label. */
  penalize(permit: Permit, label?: string): Promise<void>
  /** The statistics of all live processes that share the store. */
  stats(): LimiterStats
  /** The statistics of this process alone. */
  ownStats(): LimiterStats
  /** What `reserve` would decide, for one byte where `bytes` is left out. Charges nothing. */
  peek(requests: readonly LimitRequest[]): Promise<Decision>
  /** What every rule that `reserve` would ask, shadow mode included, has counted for the callers, for one permit. Charges
   *  nothing. */
  states(requests: readonly LimitRequest[]): Promise<RuleStates>
  /** Forgets what the callers have used of the sets. Throws LimitStoreUnavailable while the store fails. */
  reset(requests: readonly LimitRequest[]): Promise<void>
  /** The sets that were added to a procedure or route at run time; undefined for none. */
  addedTo(procedure: string): readonly CompiledRuleSet[] | undefined
  /** Forgets what is counted under one key of a set, whomever it counts. Throws LimitStoreUnavailable while the store fails. */
  resetKey(set: CompiledRuleSet, key: string): Promise<void>
  /** The blocks that rules with `blockFor` have begun and that last, over all processes that share the store. Reads through the
   *  store's keys: for people, not for calls. */
  blocks(): Promise<BlockList>
  /** Replaces all overrides, added sets and trials in this process. */
  override(overrides: readonly Override[], added?: readonly AddedSet[], trials?: readonly Trial[]): void
  /** The processes that share the store. */
  readonly fleet: Fleet
  /** 'degraded' while the configured store fails and `onStoreFailure` holds. */
  status(): 'ready' | 'degraded'
  /** Asks the store now, rather than at the next decision, and returns the status. */
  check(): Promise<'ready' | 'degraded'>
  /** Refuses all waiting calls. From now on no call waits. */
  close(): Promise<void>
}

/** Events that the limiter logs: its store began to fail or recovered, and the first refusals of a subject in a
 *  window; on request the first passes. */
export type LimiterEvent = StoreEvent | CallEvent | EventsDropped

export interface LimiterOptions extends WaitingLimits {
  /** One node, or several of a Redis Cluster behind commas. Counts in this process when absent. */
  readonly redisUrl?: string | undefined
  /** Whether one URL is that of a Cluster (`checkRedis` knows); several always are. */
  readonly isCluster?: boolean
  /** Called when the state changes, and for the first refusal or other event of a subject in a window; not for every
   *  decision. */
  readonly log?: ((event: LimiterEvent) => void) | undefined
  /** Whether the first pass of a subject in a window is logged too. */
  readonly logsPasses?: boolean
  /** Called with each refused call. */
  readonly onRefused?: ((call: DecidedCall, options: CallOptions) => void) | undefined
  /** The clock of the in-process limiter; Redis uses its own. */
  readonly clock?: Clock
  /** The date of calendar windows; by default that of `clock`, if given. */
  readonly date?: Clock
  /** How long a decision waits for Redis. */
  readonly deadlineMs?: number
  /** Called with the milliseconds of each round trip to Redis, and whether it failed. */
  readonly onTrip?: ((ms: number, hasFailed: boolean) => void) | undefined
  /** The processes that share the store; by default those that announce themselves through Redis. */
  readonly fleet?: Fleet
}

/** Counts in Redis when `redisUrl` is given, else in this process. Connects at once, but never rejects or waits for it. */
export function createLimiter(options: LimiterOptions): Limiter {
  const { redisUrl, isCluster, waitersPerProcess, log = () => {}, deadlineMs = 100, onRefused } = options
  const { date = options.clock ?? wallClock, fleet = redisUrl ? new RedisFleet(redisUrl) : new SoloFleet() } = options
  const clock = new HeldClock(options.clock ?? systemClock)
  const local = new MemoryStore(clock)
  const stats = new CallStats(clock, date, log, options.logsPasses)
  const returns = new Returns(fleet)
  const waiting = { clock, returns, waitersPerProcess }
  if (redisUrl === undefined) {
    const store = new ManualBlocks(returns.around(local), date)
    const moment = momentBy(date, () => clock.now() - date.now())
    return new CallLimiter({
      clock,
      store,
      room: new WaitingRoom({ ...waiting, store }),
      moment,
      stats,
      fleet,
      onRefused,
      onOverride: (overrides) => turnOn(store, overrides),
      blocks: async () => local.blocks(),
    })
  }
  const onGivenBack = (charges: readonly Charge[]) => returns.endRefusals(charges)
  const redis = openStore({
    redisUrl,
    ...(isCluster !== undefined && { isCluster }),
    local,
    deadlineMs,
    clock,
    onGivenBack,
    onTrip: options.onTrip,
  })
  const breaker = new CircuitBreaker(redis, clock, log)
  const refusals = new RememberedRefusals(clock, returns)
  const failover = new FailoverStore(redis, breaker, local, () => fleet.size, refusals)
  const store = new ManualBlocks(returns.around(failover), date)
  const room = new WaitingRoom({ ...waiting, store, jitterMs: jitterBetweenProcesses() })
  // Redis uses the date itself.
  const moment = momentBy(date, () => 0)
  const onOverride = (overrides: readonly Override[]) => {
    refusals.forgetAll()
    turnOn(store, overrides)
  }
  // What this process has seen is better than nothing.
  const known = () => ({ ...local.blocks(), isWhole: false })
  const blocks = async () => (breaker.isFailing ? known() : redis.blocks().catch(known))
  return new CallLimiter({ clock, store, room, moment, stats, fleet, breaker, onOverride, onRefused, blocks })
}

function turnOn(blocks: ManualBlocks, overrides: readonly Override[]): void {
  blocks.isOn = overrides.some(({ blockedUntil }) => blockedUntil !== undefined)
}

/** Reads the time only when a charge needs it: few do. */
function momentBy(date: Clock, aheadMs: () => number): Moment {
  return {
    get now() {
      return date.now()
    },
    get aheadMs() {
      return aheadMs()
    },
    lease: randomUUID,
  }
}
