import type { Leases } from '../rules/compiled.ts'
import type { Charge } from '../store.ts'
import { type Answer, chargeFor, type Ledger, passes } from './ledger.ts'

/** Limits concurrent calls: a counting semaphore of leases. A process renews the leases of its calls and ends them with
 *  the calls, so that a process that died holds its places for one lease at most. A lease counts until the instant it
 *  ends; taking it again renews it. When the clock steps back, the time at which the last lease was taken is used
 *  instead, so that none ends early once the clock is right again. Ended leases are removed when one is taken, not when
 *  asked. This is the "fair semaphore" of Redis practice (a ZSET of names scored by time), scored by the end of each
 *  lease instead of its beginning. */
export class Concurrency implements Ledger {
  /** The instant at which each lease ends, by its name; in ascending order, because the time used never steps back. */
  readonly #ends = new Map<string, number>()
  #last = 0

  get emptyAt(): number {
    return this.#last
  }

  ask(now: number, charge: Charge): Answer[] {
    const { rules } = chargeFor('concurrency', charge)
    const time = this.#notBeforeLast(now, rules)
    const live = [...this.#ends.values()].filter((end) => end > time)
    const [first = now] = live
    return rules.map(({ limit, lease }) => {
      const answer = passes(Math.max(0, limit - live.length), first - now)
      const isOwn = (this.#ends.get(lease) ?? 0) > time
      const leaving = live.length < limit || isOwn ? now : (live[live.length - limit] ?? now)
      return { ...answer, waitMs: leaving - now }
    })
  }

  take(now: number, charge: Charge, answers: readonly Answer[] = []): boolean {
    const { rules } = chargeFor('concurrency', charge)
    const time = this.#notBeforeLast(now, rules)
    const [{ lease, windowMs } = NO_LEASE] = rules
    this.#ends.delete(lease)
    this.#last = time + windowMs
    this.#ends.set(lease, this.#last)
    for (const [dead, end] of this.#ends) {
      if (end > time) break
      this.#ends.delete(dead)
    }
    for (const [index, standing] of this.ask(now, charge).entries()) Object.assign(answers[index] ?? {}, standing)
    return true
  }

  /** Ends the lease, whenever it was begun or renewed. */
  refund(_now: number, _at: number, charge: Charge): void {
    for (const { lease } of chargeFor('concurrency', charge).rules) this.#ends.delete(lease)
    this.#last = [...this.#ends.values()].at(-1) ?? 0
  }

  #notBeforeLast(now: number, [rule = NO_LEASE]: readonly Pick<Leases, 'windowMs'>[]): number {
    return this.#ends.size > 0 ? Math.max(now, this.#last - rule.windowMs) : now
  }
}

/** Stands for the rule that is always there. */
const NO_LEASE = { lease: '', windowMs: 0 }
