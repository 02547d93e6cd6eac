import type { SampledWindow } from '../rules/compiled.ts'
import type { Charge } from '../store.ts'
import { type Answer, charged, chargeFor, isHalfUsed, type Ledger, passes } from './ledger.ts'
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
    let last = 0
    for (const ring of this.#rings) last = Math.max(last, ring.emptyAt)
    return last
  }

  ask(now: number, charge: Charge): Answer[] {
    const { cost, rules } = chargeFor('sliding-window-counter', charge)
    const answers = new Array<Answer>(rules.length)
    let index = 0
    for (const rule of rules) {
      answers[index] = answerOf(now, cost, rule, this.#rings[index])
      index += 1
    }
    return answers
  }

  take(now: number, charge: Charge, answers?: readonly Answer[]): boolean {
    const { cost, rules } = chargeFor('sliding-window-counter', charge)
    let isHot = false
    let index = 0
    for (const rule of rules) {
      const ring = this.#rings[index] ?? new SampleRing(rule)
      this.#rings[index] = ring
      ring.add(now, cost)
      const used = ring.usedAt(now, rule)
      const remaining = Math.max(0, rule.limit - used)
      if (isHalfUsed(remaining, rule)) isHot = true
      const answer = answers?.[index]
      if (answer) charged(answer, remaining, resetOf(now, used, rule, ring))
      index += 1
    }
    return isHot
  }

  refund(_now: number, at: number, { cost }: Charge): void {
    for (const ring of this.#rings) ring.takeOff(at, cost)
  }
}

function answerOf(now: number, cost: number, rule: SampledWindow, known: SampleRing | undefined): Answer {
  const ring = known ?? new SampleRing(rule)
  const used = ring.usedAt(now, rule)
  const answer = passes(Math.max(0, rule.limit - used), resetOf(now, used, rule, ring))
  if (cost > rule.limit) answer.waitMs = rule.windowMs
  else if (used + cost > rule.limit) answer.waitMs = ring.firstInstant(now, rule.limit - cost, rule) - now
  return answer
}

function resetOf(now: number, used: number, rule: SampledWindow, ring: SampleRing): number {
  return used > 0 ? ring.firstInstant(now, used - 1, rule) - now : 0
}
