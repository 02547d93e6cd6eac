import type { SampledWindow } from '../rules/compiled.ts'
import type { Charge, RuleAnswer } from '../store.ts'
import { chargeFor, type Ledger, passes } from './ledger.ts'
import { SampleRing } from './sample-ring.ts'

/** Counts permits by sub-windows of `windowMs / samples` from the instant 0. The window that ends now holds the newest of
 *  them, and the oldest by the part of it that lies in the window, rounded up: near the limit, at the memory of a few
 *  numbers. Counted whole, the oldest never lets any window hold more than the limit. Time that steps back counts as the
 *  start of the newest sub-window that has permits: no count is lost to a bucket of its own.
 *  The ring is Sentinel's LeapArray, the weight that of Cloudflare's "How we built rate limiting capable of scaling to
 *  millions of domains"; on Redis sub-windows are fields of a hash that expire one by one (HPEXPIRE). */
export class SlidingWindowCounter implements Ledger {
  readonly #rings: SampleRing[] = []

  get emptyAt(): number {
    return Math.max(0, ...this.#rings.map((ring) => ring.emptyAt))
  }

  ask(now: number, charge: Charge): readonly RuleAnswer[] {
    const { cost, rules } = chargeFor('sliding-window-counter', charge)
    return rules.map((rule, index) => answer(now, cost, rule, this.#rings[index] ?? new SampleRing(rule)))
  }

  take(now: number, charge: Charge): readonly RuleAnswer[] {
    const { cost, rules } = chargeFor('sliding-window-counter', charge)
    return rules.map((rule, index) => {
      const ring = this.#rings[index] ?? new SampleRing(rule)
      this.#rings[index] = ring
      ring.add(now, cost)
      const { remaining, resetMs } = answer(now, 0, rule, ring)
      return passes(remaining, resetMs)
    })
  }

  refund(_now: number, at: number, { cost }: Charge): void {
    for (const ring of this.#rings) ring.takeOff(at, cost)
  }
}

function answer(now: number, cost: number, rule: SampledWindow, ring: SampleRing): RuleAnswer {
  const used = ring.usedAt(now, rule)
  const resetMs = used > 0 ? ring.firstInstant(now, used - 1, rule) - now : 0
  const remaining = Math.max(0, rule.limit - used)
  if (used + cost <= rule.limit) return passes(remaining, resetMs)
  const waitMs = ring.firstInstant(now, Math.max(0, rule.limit - cost), rule) - now
  return { remaining, resetMs, waitMs, delayMs: 0 }
}
