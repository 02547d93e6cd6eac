import { BudgetSpent } from '#server/storage/meter.ts'
import { type BudgetUse, endOf } from './budget.ts'
import type { Asked, Kind, Leased, Unused } from './lease.ts'
import { spentMessage } from './spent-message.ts'

/** Something that was taken: on which day it counts, and what it costs. */
export interface Taken {
  readonly day: string
  readonly nanos: number
}

interface Held extends Taken {
  /** What is left, and `nanos` what that has cost; by the process's clock until when the day lasts. */
  readonly left: number
  readonly until: number
}

interface Waiting {
  readonly amount: number
  readonly resolve: (taken: Taken) => void
  readonly reject: (error: unknown) => void
}

interface Parts {
  readonly kind: Kind
  /** What is leased at a time. */
  readonly portion: number
  /** False for what always passes. */
  readonly isBound: boolean
  /** As `lease` and `giveBack` do. */
  readonly lease: (asked: Asked) => Promise<Leased>
  readonly giveBack: (unused: Unused) => Promise<void>
  /** Told of the budgets after each lease, and of those that refused it. */
  readonly seen: (budgets: readonly BudgetUse[], blocked: readonly BudgetUse[], day: string) => void
  /** Milliseconds that only grow. */
  readonly clock: () => number
}

/** Milliseconds for which a process that was refused does not ask again. */
const REFUSED_MS = 1_000
/** Milliseconds after which a lease that nobody uses is given back. */
const IDLE_MS = 30_000

/** One kind of what is leased: what is there is used up in memory, in the order of asking. */
export class LeasePool {
  readonly #parts: Parts
  #held: Held | null = null
  #waiting: Waiting[] = []
  #asking: Promise<void> | null = null
  #refusal: { readonly until: number; readonly error: BudgetSpent } | null = null
  /** What has happened without room for it, and is not counted yet. */
  #owed = 0
  #usedAt = 0
  #returning = new Set<Promise<void>>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Takes from what is leased, at once; null where that is too little. */
  takeHeld(amount: number): Taken | null {
    const held = this.#held
    if (!held || held.left < amount || this.#waiting.length > 0) return null
    const now = this.#parts.clock()
    if (now >= held.until) return null
    this.#usedAt = now
    return this.#use(held, amount)
  }

  /** Takes, and leases first where that is needed. Rejects with BudgetSpent, or as the database fails. */
  take(amount: number): Promise<Taken> {
    const refusal = this.#refusal
    if (refusal && this.#parts.clock() < refusal.until) return Promise.reject(refusal.error)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ amount, resolve, reject })
      this.#ask()
    })
  }

  /** Puts back what was taken and not used. */
  putBack({ day, nanos }: Taken, amount: number): void {
    const held = this.#held
    if (held?.day === day) this.#held = { ...held, left: held.left + amount, nanos: held.nanos + nanos }
    else this.#return({ kind: this.#parts.kind, day, amount, nanos })
  }

  /** Counts what has happened though nobody asked. What it costs is known only where it fits. */
  owe(amount: number): number {
    const taken = this.takeHeld(amount)
    if (taken) return taken.nanos
    this.#owed += amount
    this.#ask()
    return 0
  }

  /** What was refused may be asked again at once. */
  forgetRefusal(): void {
    this.#refusal = null
  }

  /** To be called now and then: counts what is owed, and gives back what its day's end or nobody's use has left over. */
  tidy(): void {
    const now = this.#parts.clock()
    if (this.#owed > 0) this.#ask()
    if (this.#held && (now >= this.#held.until || now - this.#usedAt >= IDLE_MS)) this.#giveBackHeld()
  }

  /** Gives back all that is left, once what is asked for has been answered. */
  async close(): Promise<void> {
    if (this.#owed > 0) this.#ask()
    await this.#asking
    this.#giveBackHeld()
    await Promise.all(this.#returning)
  }

  #use(held: Held, amount: number): Taken {
    const nanos = Math.min(held.nanos, Math.ceil((held.nanos * amount) / (held.left || 1)))
    this.#held = { ...held, left: held.left - amount, nanos: held.nanos - nanos }
    return { day: held.day, nanos }
  }

  #ask(): void {
    this.#asking ??= this.#serve().finally(() => {
      this.#asking = null
      if (this.#waiting.length > 0) this.#ask()
    })
  }

  /** Until nobody waits. */
  async #serve(): Promise<void> {
    // Whoever else asks in this turn is served by the same lease.
    await null
    if (this.#owed > 0) await this.#countOwed()
    while (this.#waiting[0]) {
      this.#dropEnded()
      this.#handOut()
      const [first] = this.#waiting
      if (!first) return
      try {
        if (await this.#leaseFor(first)) continue
      } catch (error) {
        for (const { reject } of this.#waiting.splice(0)) reject(error)
      }
    }
  }

  /** Serves those who wait, in order, as far as there is enough. */
  #handOut(): void {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      if (!this.#held || this.#held.left < first.amount) return
      this.#waiting.shift()
      this.#usedAt = this.#parts.clock()
      first.resolve(this.#use(this.#held, first.amount))
    }
  }

  async #leaseFor({ amount }: Waiting): Promise<boolean> {
    const { kind, portion, isBound, clock } = this.#parts
    const all = this.#waiting.reduce((sum, each) => sum + each.amount, 0)
    const have = this.#held?.left ?? 0
    // Both clocks run on while the answer travels: what is left of the day is left from here on.
    const asked = clock()
    const leased = await this.#parts.lease({ kind, least: amount - have, most: Math.max(portion, all - have), isBound })
    this.#parts.seen(leased.budgets, leased.blocked, leased.day)
    if (leased.amount === 0) {
      this.#refuse(leased)
      return false
    }
    this.#keep(leased, asked + leased.msLeft)
    return true
  }

  /** Everybody whom what is there does not serve hears that the budget is spent, and who asks within the next second. */
  #refuse({ blocked, day }: Leased): void {
    const ends = blocked.map(({ period }) => endOf(period, day))
    const until = ends.reduce<Date | null>((last, end) => (last && end && last > end ? last : end), null)
    const error = new BudgetSpent(spentMessage(until), until)
    this.#refusal = { until: this.#parts.clock() + REFUSED_MS, error }
    for (const waiting of this.#waiting.splice(0)) {
      if (this.#held && this.#held.left >= waiting.amount) waiting.resolve(this.#use(this.#held, waiting.amount))
      else waiting.reject(error)
    }
  }

  #keep({ day, amount, nanos }: Leased, until: number): void {
    if (this.#held && this.#held.day !== day) this.#giveBackHeld()
    const { left, nanos: before } = this.#held ?? { left: 0, nanos: 0 }
    this.#held = { day, until, left: left + amount, nanos: before + nanos }
    this.#usedAt = this.#parts.clock()
  }

  /** A failure keeps what is owed for the next time. */
  async #countOwed(): Promise<void> {
    const amount = this.#owed
    try {
      const { kind, lease, seen } = this.#parts
      const leased = await lease({ kind, least: amount, most: amount, isBound: false })
      this.#owed -= amount
      seen(leased.budgets, [], leased.day)
    } catch {
      // It is said by whatever needs the database next.
    }
  }

  #dropEnded(): void {
    if (this.#held && this.#parts.clock() >= this.#held.until) this.#giveBackHeld()
  }

  #giveBackHeld(): void {
    const held = this.#held
    this.#held = null
    if (held && held.left > 0) {
      this.#return({ kind: this.#parts.kind, day: held.day, amount: held.left, nanos: held.nanos })
    }
  }

  #return(unused: Unused): void {
    if (unused.amount === 0 && unused.nanos === 0) return
    const returning = this.#parts.giveBack(unused).finally(() => this.#returning.delete(returning))
    this.#returning.add(returning)
  }
}
