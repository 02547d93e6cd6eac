import type { Leased } from './lease.ts'

/** An amount taken from a lease: the day that it counts on, and its cost in nanos. */
export interface LeasedAmount {
  readonly day: string
  readonly nanos: number
}

/** The rest of a day's leases; `nanos` is the cost of that rest. */
export class HeldLease {
  readonly day: string
  left = 0
  nanos = 0
  /** The instant at which the day ends, by the process's clock. */
  #until = 0

  constructor(day: string) {
    this.day = day
  }

  /** `askedAt` is when the lease was requested, by the process's clock. `msLeft` counts from there, so that the latency of
   *  the answer never extends the day. */
  add({ amount, nanos, msLeft }: Leased, askedAt: number): void {
    this.putBack(amount, nanos)
    this.#until = askedAt + msLeft
  }

  putBack(amount: number, nanos: number): void {
    this.left += amount
    this.nanos += nanos
  }

  hasEnded(now: number): boolean {
    return now >= this.#until
  }

  /** Takes an amount and its share of the cost, rounded up; all shares add up to exactly the cost of the lease. */
  take(amount: number): LeasedAmount {
    const nanos = Math.min(this.nanos, Math.ceil((this.nanos * amount) / (this.left || 1)))
    this.left -= amount
    this.nanos -= nanos
    return { day: this.day, nanos }
  }
}
