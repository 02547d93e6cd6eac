import type { PrismaClient } from '#server/database/database.ts'
import type { Meter, RequestClass, Reservation } from '#server/storage/meter.ts'
import { payerNow } from '#server/storage/payer.ts'
import type { BudgetUse } from '../budget.ts'
import type { Terms } from '../terms.ts'
import type { Taken } from './held-lease.ts'
import { giveBack, type Kind, lease } from './lease.ts'
import { LeasePool, type Portions } from './lease-pool.ts'
import type { UsageBook } from './usage-book.ts'

export interface MeterParts {
  readonly db: PrismaClient
  readonly terms: Terms
  readonly usage: UsageBook
  readonly log: { error(details: object, message: string): void }
  /** Called after each lease with the budgets as they are, and with those that are spent: they refused it and have too
   *  little left for an ordinary request. */
  readonly seen: (budgets: readonly BudgetUse[], spent: readonly BudgetUse[], day: string) => void
  /** A monotonic clock in milliseconds, for tests. */
  readonly clock?: (() => number) | undefined
}

/** Sizes of leases, which are what a killed process counts too much: small at first, for one that is killed again and
 *  again. */
const REQUESTS: Portions = { first: 10, full: 100, ordinary: 1 }
const BYTES: Portions = { first: 256 * 1024, full: 8 * 1024 * 1024, ordinary: 1024 * 1024 }
const PORTIONS: Readonly<Record<Kind, Portions>> = {
  writes: REQUESTS,
  reads: REQUESTS,
  deletes: REQUESTS,
  bytesIn: BYTES,
  bytesOut: BYTES,
}

/** The meter of the bucket: counts requests and bytes in the database before the bucket is asked. It leases amounts, so
 *  that most requests need no call of the database. Whatever is uncertain counts as used: a lease whose answer, or
 *  whose return, was lost. */
export class BucketMeter implements Meter {
  readonly #usage: UsageBook
  readonly #pools: Readonly<Record<Kind, LeasePool>>

  constructor({ db, terms, usage, log, seen, clock = () => performance.now() }: MeterParts) {
    this.#usage = usage
    const pool = (kind: Kind) =>
      new LeasePool({
        kind,
        portions: PORTIONS[kind],
        isBound: kind !== 'deletes',
        lease: (asked) => lease(db, terms, asked),
        giveBack: (unused) =>
          giveBack(db, unused).catch((error: unknown) => {
            log.error({ ...unused, err: error }, 'a lease was not given back: it counts as used')
          }),
        seen,
        clock,
      })
    this.#pools = {
      writes: pool('writes'),
      reads: pool('reads'),
      deletes: pool('deletes'),
      bytesIn: pool('bytesIn'),
      bytesOut: pool('bytesOut'),
    }
  }

  async request(kind: RequestClass): Promise<void> {
    const pool = this.#pools[kind]
    const { day, nanos } = pool.takeHeld(1) ?? (await pool.take(1))
    this.#usage.spend(day, payerNow(), kind, 1, nanos)
  }

  async reserve(direction: 'in' | 'out', bytes: number): Promise<Reservation> {
    const kind = direction === 'in' ? 'bytesIn' : 'bytesOut'
    const pool = this.#pools[kind]
    const payer = payerNow()
    const taken = bytes > 0 ? (pool.takeHeld(bytes) ?? (await pool.take(bytes))) : null
    const spend = (amount: number, nanos: number) => {
      this.#usage.spend(taken?.day ?? null, payer, kind, amount, nanos)
    }
    return new Room({ pool, taken, bytes, spend })
  }

  /** The terms have changed: applies them in this process at once. */
  forgetRefusals(): void {
    for (const pool of Object.values(this.#pools)) pool.forgetRefusal()
  }

  /** To be called every few seconds. */
  tidy(): void {
    for (const pool of Object.values(this.#pools)) pool.tidy()
  }

  /** Gives back what is left of all leases. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#pools).map((pool) => pool.close()))
  }
}

interface RoomParts {
  readonly pool: LeasePool
  /** Null for no bytes. */
  readonly taken: Taken | null
  readonly bytes: number
  readonly spend: (amount: number, nanos: number) => void
}

/** A reservation of bytes. Bytes moved within it are used; bytes moved beyond it are owed. */
class Room implements Reservation {
  readonly #parts: RoomParts
  #left: number
  #nanos: number

  constructor(parts: RoomParts) {
    this.#parts = parts
    this.#left = parts.bytes
    this.#nanos = parts.taken?.nanos ?? 0
  }

  moved(bytes: number): void {
    if (bytes === 0) return
    const within = Math.min(bytes, this.#left)
    const nanos = Math.min(this.#nanos, Math.ceil((this.#nanos * within) / (this.#left || 1)))
    this.#left -= within
    this.#nanos -= nanos
    const owed = bytes > within ? this.#parts.pool.owe(bytes - within) : 0
    this.#parts.spend(bytes, nanos + owed)
  }

  end(): void {
    const { taken, pool } = this.#parts
    // The rest of the nanos is paid for what has moved, where nothing is left.
    if (taken && this.#left > 0) pool.putBack({ day: taken.day, nanos: this.#nanos }, this.#left)
    this.#left = 0
    this.#nanos = 0
  }
}
