import type { BudgetSpent } from '#server/storage/meter.ts'
import type { BudgetUse } from '../budget.ts'
import { budgetSpentError } from '../budget-spent.ts'
import { HeldLease, type LeasedAmount } from './held-lease.ts'
import type { Kind, Leased, LeaseRequest, Unused } from './lease.ts'

interface Waiting {
  readonly amount: number
  readonly resolve: (taken: LeasedAmount) => void
  readonly reject: (error: unknown) => void
}

/** Sizes of leases, in requests or in bytes. */
export interface Portions {
  /** A process's first lease; each further one is twice as large, up to `full`. */
  readonly first: number
  readonly full: number
  /** An ordinary request. A budget that refuses a request and has less left than this is spent; otherwise that request was
   *  too large. */
  readonly ordinary: number
}

interface LeasePoolDependencies {
  readonly kind: Kind
  readonly portions: Portions
  /** False for kinds that are never refused, such as deletes. */
  readonly isBound: boolean
  /** `lease` and `giveBack` of lease.ts. */
  readonly lease: (asked: LeaseRequest) => Promise<Leased>
  readonly giveBack: (unused: Unused) => Promise<void>
  /** As in `MeterParts`. */
  readonly seen: (budgets: readonly BudgetUse[], spent: readonly BudgetUse[], day: string) => void
  /** A monotonic clock, in milliseconds. */
  readonly clock: () => number
}

/** How long a refused process does not ask the database again for as much or more. */
const REFUSED_MS = 1_000
/** How long a lease stays unused before it is returned. */
const IDLE_MS = 30_000

/** The leases of one kind that this process holds. Requests are served from memory in order of arrival. */
export class LeasePool {
  readonly #parts: LeasePoolDependencies
  /** The size of the next lease. */
  #portion: number
  #held: HeldLease | null = null
  #waiting: Waiting[] = []
  #asking: Promise<void> | null = null
  /** `least`: the smallest amount that was refused. */
  #refusal: { readonly until: number; readonly least: number; readonly error: BudgetSpent } | null = null
  /** Used without a lease and not counted in the database yet. */
  #owed = 0
  #usedAt = 0
  #returning = new Set<Promise<void>>()

  constructor(parts: LeasePoolDependencies) {
    this.#parts = parts
    this.#portion = parts.portions.first
  }

  /** Takes an amount from the held lease; returns null if it has too little left. */
  takeHeld(amount: number): LeasedAmount | null {
    const held = this.#held
    if (!held || held.left < amount || this.#waiting.length > 0) return null
    const now = this.#parts.clock()
    if (held.hasEnded(now)) return null
    this.#usedAt = now
    return held.take(amount)
  }

  /** Takes an amount, leasing more first if needed. Rejects with BudgetSpent or with the database's error. */
  take(amount: number): Promise<LeasedAmount> {
    const refusal = this.#refusal
    if (refusal && amount >= refusal.least && this.#parts.clock() < refusal.until) return Promise.reject(refusal.error)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ amount, resolve, reject })
      this.#ask()
    })
  }

  /** Puts back an amount that was taken and not used. */
  putBack({ day, nanos }: LeasedAmount, amount: number): void {
    if (this.#held?.day === day) this.#held.putBack(amount, nanos)
    else this.#return({ kind: this.#parts.kind, day, amount, nanos })
  }

  /** Counts an amount that was used without being taken first. Returns its nanos if the held lease covers it, otherwise 0. */
  owe(amount: number): number {
    const taken = this.takeHeld(amount)
    if (taken) return taken.nanos
    this.#owed += amount
    this.#ask()
    return 0
  }

  /** Call when budgets or prices have changed: refused amounts may be requested again at once, and leases under the old
   *  terms are returned. */
  forgetRefusal(): void {
    this.#refusal = null
    this.#giveBackHeld()
  }

  /** Call regularly: counts what is owed, and returns leases that are unused or from a past day. */
  tidy(): void {
    const now = this.#parts.clock()
    if (this.#owed > 0) this.#ask()
    if (this.#held && (this.#held.hasEnded(now) || now - this.#usedAt >= IDLE_MS)) this.#giveBackHeld()
  }

  /** Returns all leases once pending requests are answered. */
  async close(): Promise<void> {
    await this.#asking
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

  /** Leases until no request is waiting. */
  async #serve(): Promise<void> {
    // One lease serves all requests of this turn of the event loop.
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

  /** Serves waiting requests in order, as far as the lease goes. */
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

  /** Refuses all requests for `least` or more, now and for the next second; smaller ones keep waiting. */
  #refuse({ blocked, day }: Leased, least: number): void {
    const error = budgetSpentError(blocked, day)
    this.#refusal = { until: this.#parts.clock() + REFUSED_MS, least, error }
    for (const waiting of this.#waiting.splice(0)) {
      if (waiting.amount < least) this.#waiting.push(waiting)
      else if (this.#held && this.#held.left >= waiting.amount) waiting.resolve(this.#held.take(waiting.amount))
      else waiting.reject(error)
    }
  }

  /** Counts what is owed; after a failure it stays owed. */
  async #countOwed(): Promise<void> {
    const amount = this.#owed
    try {
      const { kind, lease, seen } = this.#parts
      const leased = await lease({ kind, least: amount, most: amount, isBound: false })
      this.#owed -= amount
      seen(leased.budgets, [], leased.day)
    } catch {
      // Not logged: the next request that needs the database fails too, and is logged.
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
