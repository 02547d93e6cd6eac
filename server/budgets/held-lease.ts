import type { Leased } from './lease.ts'

/** Something that was taken: on which day it counts, and what it costs. */
export interface Taken {
  readonly day: string
  readonly nanos: number
}

/** What is left of the leases of a day, and `nanos` what that has cost. */
export class HeldLease {
  readonly day: string
  left = 0
  nanos = 0
  /** By the process's clock until when the day lasts. */
  #until = 0

  constructor(day: string) {
    this.day = day
  }

  /** `askedAt`: when it was asked for. Both clocks run on while the answer travels: what was left of the day is left from then on. */
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

  /** Takes of what is left, with its share of what all of it has cost, rounded up: none of it is lost or paid twice. */
  take(amount: number): Taken {
    const nanos = Math.min(this.nanos, Math.ceil((this.nanos * amount) / (this.left || 1)))
    this.left -= amount
    this.nanos -= nanos
    return { day: this.day, nanos }
  }
}
