import type { Leased } from './lease.ts'

/** An amount that was taken from a lease: the day that it counts on, and its cost in nanos. */
export interface Taken {
  readonly day: string
  readonly nanos: number
}

/** What is left of a day's leases, and in `nanos` what that rest has cost. */
export class HeldLease {
  readonly day: string
  left = 0
  nanos = 0
  /** The instant at which the day ends, by the process's clock. */
  #until = 0

  constructor(day: string) {
    this.day = day
  }

  /** `askedAt`: when the lease was requested, by the process's clock. The day's rest in the answer is counted from
   *  there, so that the time the answer travelled never makes the day longer. */
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

  /** Takes an amount and its share of the rest's cost, rounded up, so that all shares add up to exactly that cost. */
  take(amount: number): Taken {
    const nanos = Math.min(this.nanos, Math.ceil((this.nanos * amount) / (this.left || 1)))
    this.left -= amount
    this.nanos -= nanos
    return { day: this.day, nanos }
  }
}
