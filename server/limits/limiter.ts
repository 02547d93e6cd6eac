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
import { type Decision, decide, UNLIMITED } from './decision.ts'
import { MemoryStore } from './memory-store.ts'
import type { CompiledRuleSet } from './rule-set.ts'
import type { Caller, NamedSubject } from './subject.ts'

export interface Limiter {
  /** Takes `cost` permits (1 by default) from every rule of every set, or from none. */
  take(sets: readonly CompiledRuleSet[], caller: Caller | NamedSubject, cost?: number): Promise<Decision>
  /** The same for several requests at once: all are charged, or none. */
  takeAll(requests: readonly LimitRequest[]): Promise<Decision>
  /** 'degraded' while the configured store fails and `onStoreFailure` holds. */
  status(): 'ready' | 'degraded'
  close(): Promise<void>
}

/** The store began to fail, or answers again. */
export type LimiterEvent =
  | { readonly type: 'degraded'; readonly cause: string }
  | { readonly type: 'recovered'; readonly afterMs: number; readonly decisionsWithoutStore: number }

export interface LimiterOptions {
  /** Counts in this process when absent. */
  readonly redisUrl?: string | undefined
  readonly log?: ((event: LimiterEvent) => void) | undefined
  readonly clock?: Clock
}

export function createLimiter({ clock = systemClock }: LimiterOptions): Limiter {
  const store = new MemoryStore(clock)
  const takeAll = async (requests: readonly LimitRequest[]) => {
    const charges = chargesOf(requests)
    return charges.length === 0 ? UNLIMITED : decide(charges, await store.take(charges), 'store')
  }
  return {
    takeAll,
    take: (sets, caller, cost = 1) => takeAll([{ sets, caller, cost }]),
    status: () => 'ready',
    close: () => store.close(),
  }
}
