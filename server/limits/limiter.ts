/** The limiter as the rest of the server uses it.
 *
 *      const sets = compileRuleSets('image.download', meta.limits)    // once, at start
 *      const decision = await limiter.take(sets, ctx.caller)          // one decision before the work
 *      const signIn = await limiter.takeAll([                         // several subjects, still all or nothing
 *        { sets: perAccount, caller: { subject: `${username}\n${address}` } },
 *        { sets: perAddress, caller },
 *      ])
 *
 *  A refusal is a value, a `Decision` (decision.ts): `refusalOf(decision)` (describe.ts) is what an error carries, `rateLimitHeaders([decision])`
 *  (headers.ts) what a response does. Only bugs throw: a cost that no wait could let pass, a key charged twice. */

import { chargesOf, type LimitRequest } from './charges.ts'
import { type Clock, systemClock } from './clock.ts'
import { type Decision, decide, denied, UNLIMITED } from './decision.ts'
import { loadLimitScript } from './lua-script.ts'
import { MemoryStore } from './memory-store.ts'
import { connectRedis } from './redis-client.ts'
import { RedisStore } from './redis-store.ts'
import type { CompiledRuleSet } from './rule-set.ts'
import type { Charge } from './store.ts'
import { type LimiterEvent, StoreGuard } from './store-guard.ts'
import type { Caller, NamedSubject } from './subject.ts'

export interface Limiter {
  /** Takes `cost` permits (1 by default) from every rule of every set, or from none. */
  take(sets: readonly CompiledRuleSet[], caller: Caller | NamedSubject, cost?: number): Promise<Decision>
  /** The same for several requests at once: all are charged, or none. */
  takeAll(requests: readonly LimitRequest[]): Promise<Decision>
  /** 'degraded' while the configured store fails and `onStoreFailure` holds. */
  status(): 'ready' | 'degraded'
  /** Asks the store now, rather than at the next decision, and gives the status. */
  check(): Promise<'ready' | 'degraded'>
  close(): Promise<void>
}

export interface LimiterOptions {
  /** Counts in this process when absent. */
  readonly redisUrl?: string | undefined
  /** Told when the state changes, not of every decision. */
  readonly log?: ((event: LimiterEvent) => void) | undefined
  /** Of the in-process limiter; Redis goes by its own. */
  readonly clock?: Clock
  /** How long a decision waits for Redis. */
  readonly deadlineMs?: number
}

/** What a rule set that says 'deny' tells callers to wait while the store fails. */
const DENIED_RETRY_MS = 5_000

/** Counts in Redis when `redisUrl` is given, else in this process. Connects at once, but never rejects or waits for it. */
export function createLimiter(options: LimiterOptions): Limiter {
  const { redisUrl, log = () => {}, clock = systemClock, deadlineMs = 100 } = options
  const local = new MemoryStore(clock)
  if (redisUrl === undefined) return limiterOver(async (charges) => decide(charges, await local.take(charges), 'store'))
  const store = new RedisStore({ client: connectRedis(redisUrl), script: loadLimitScript(), deadlineMs })
  const guard = new StoreGuard(store, clock, log)
  return limiterOver(async (charges) => {
    const answers = await guard.take(charges)
    if (!answers) return decideWithoutStore(charges, local)
    const decision = decide(charges, answers, 'store')
    // Counted here as well, so that whoever makes the store fail does not get this process's limits anew.
    if (decision.allowed) await local.take(charges)
    return decision
  }, guard)
}

function limiterOver(decideOn: (charges: readonly Charge[]) => Promise<Decision>, guard?: StoreGuard): Limiter {
  const status = () => (guard?.isFailing ? 'degraded' : 'ready')
  const takeAll = async (requests: readonly LimitRequest[]) => {
    const charges = chargesOf(requests)
    return charges.length === 0 ? UNLIMITED : decideOn(charges)
  }
  return {
    takeAll,
    take: (sets, caller, cost = 1) => takeAll([{ sets, caller, cost }]),
    status,
    check: async () => {
      await guard?.probe()
      return status()
    },
    close: async () => guard?.close(),
  }
}

/** One set that denies, denies the call; sets that allow do not count; the others count in this process. */
async function decideWithoutStore(charges: readonly Charge[], local: MemoryStore): Promise<Decision> {
  const denying = charges.find((charge) => charge.onStoreFailure === 'deny')
  if (denying) return denied(denying, DENIED_RETRY_MS)
  const counted = charges.filter((charge) => charge.onStoreFailure === 'local')
  return counted.length === 0 ? UNLIMITED : decide(counted, await local.take(counted), 'local')
}
