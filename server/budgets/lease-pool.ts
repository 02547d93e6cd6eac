import type { BudgetSpent } from '#server/storage/meter.ts'
import type { BudgetUse } from './budget.ts'
import { HeldLease, type Taken } from './held-lease.ts'
import type { Asked, Kind, Leased, Unused } from './lease.ts'
import { spentBy } from './spent-message.ts'

interface Waiting {
  readonly amount: number
  readonly resolve: (taken: Taken) => void
  readonly reject: (error: unknown) => void
}

/** Of requests, or of bytes. */
export interface Portions {
  /** What a process leases first. It leases twice as much each time. */
  readonly first: number
  /** What it leases in the end at a time. */
  readonly full: number
  /** A budget that refused something and has less left than this is spent; else that ask was too large. */
  readonly ordinary: number
}

interface Parts {
  readonly kind: Kind
  readonly portions: Portions
  /** False for what always passes. */
  readonly isBound: boolean
  /** As `lease` and `giveBack` do. */
  readonly lease: (asked: Asked) => Promise<Leased>
  readonly giveBack: (unused: Unused) => Promise<void>
  /** Told of the budgets after each lease, and of those that refused it and have too little left for an ordinary ask. */
  readonly seen: (budgets: readonly BudgetUse[], spent: readonly BudgetUse[], day: string) => void
  /** Milliseconds that only grow. */
  readonly clock: () => number
}

/** Milliseconds for which a process that was refused does not ask again for as much. */
const REFUSED_MS = 1_000
/** Milliseconds after which a lease that nobody uses is given back. */
const IDLE_MS = 30_000

/** One kind of what is leased: what is there is used up in memory, in the order of asking. */
export class LeasePool {
  readonly #parts: Parts
  /** What is leased next. */
  #portion: number
  #held: HeldLease | null = null
  #waiting: Waiting[] = []
  #asking: Promise<void> | null = null
  /** `least`: the least amount that there was no room for. */
  #refusal: { readonly until: number; readonly least: number; readonly error: BudgetSpent } | null = null
  /** What has happened without room for it, and is not counted yet. */
  #owed = 0
  #usedAt = 0
  #returning = new Set<Promise<void>>()

  constructor(parts: Parts) {
    this.#parts = parts
    this.#portion = parts.portions.first
  }

  /** Takes from what is leased, at once; null where that is too little. */
  takeHeld(amount: number): Taken | null {
    const held = this.#held
    if (!held || held.left < amount || this.#waiting.length > 0) return null
    const now = this.#parts.clock()
    if (held.hasEnded(now)) return null
    this.#usedAt = now
    return held.take(amount)
  }

  /** Takes, and leases first where that is needed. Rejects with BudgetSpent, or as the database fails. */
  take(amount: number): Promise<Taken> {
    const refusal = this.#refusal
    if (refusal && amount >= refusal.least && this.#parts.clock() < refusal.until) return Promise.reject(refusal.error)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ amount, resolve, reject })
      this.#ask()
    })
  }

  /** Puts back what was taken and not used. */
  putBack({ day, nanos }: Taken, amount: number): void {
    if (this.#held?.day === day) this.#held.putBack(amount, nanos)
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

  /** What holds has changed: what was refused may be asked again at once, and what was leased before it goes back. */
  forgetRefusal(): void {
    this.#refusal = null
    this.#giveBackHeld()
  }

  /** To be called now and then: counts what is owed, and gives back what its day's end or nobody's use has left over. */
  tidy(): void {
    const now = this.#parts.clock()
    if (this.#owed > 0) this.#ask()
    if (this.#held && (this.#held.hasEnded(now) || now - this.#usedAt >= IDLE_MS)) this.#giveBackHeld()
  }

  /** Gives back all that is left, once what is asked for has been answered. */
  async close(): Promise<void> {
    await this.#asking
    // Whoever asked has looked for it before.
    if (this.#owed > 0) this.#ask()
    await this.#asking
    this.#giveBackHeld()
    await Promise.all(this.#returning)
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
        await this.#leaseFor(first)
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
      first.resolve(this.#held.take(first.amount))
    }
  }

  async #leaseFor({ amount }: Waiting): Promise<void> {
    const { kind, portions, isBound, clock } = this.#parts
    const all = this.#waiting.reduce((sum, each) => sum + each.amount, 0)
    const have = this.#held?.left ?? 0
    const askedAt = clock()
    const most = Math.max(this.#portion, all - have)
    const leased = await this.#parts.lease({ kind, least: amount - have, most, isBound })
    const spent = leased.blocked.filter(({ room }) => room < portions.ordinary)
    this.#parts.seen(leased.budgets, spent, leased.day)
    if (leased.amount === 0) return this.#refuse(leased, amount)
    this.#portion = Math.min(portions.full, 2 * this.#portion)
    if (this.#held?.day !== leased.day) this.#giveBackHeld()
    this.#held ??= new HeldLease(leased.day)
    this.#held.add(leased, askedAt)
    this.#usedAt = clock()
  }

  /** Who asks for `least` or more hears that there is no room, within the next second too. Whoever asks for less waits on. */
  #refuse({ blocked, day }: Leased, least: number): void {
    const error = spentBy(blocked, day)
    this.#refusal = { until: this.#parts.clock() + REFUSED_MS, least, error }
    for (const waiting of this.#waiting.splice(0)) {
      if (waiting.amount < least) this.#waiting.push(waiting)
      else if (this.#held && this.#held.left >= waiting.amount) waiting.resolve(this.#held.take(waiting.amount))
      else waiting.reject(error)
    }
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
    if (this.#held?.hasEnded(this.#parts.clock())) this.#giveBackHeld()
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
