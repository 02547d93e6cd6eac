import type { PrismaClient } from '#server/database/database.ts'
import type { Meter, RequestClass, Reservation } from '#server/storage/meter.ts'
import { payerNow } from '#server/storage/payer.ts'
import type { BudgetUse } from '../budget.ts'
import type { Terms } from '../terms.ts'
import type { LeasedAmount } from './held-lease.ts'
import { giveBack, type Kind, lease } from './lease.ts'
import { LeasePool, type Portions } from './lease-pool.ts'
import type { UsageBook } from './usage-book.ts'

export interface MeterParts {
  readonly db: PrismaClient
  readonly terms: Terms
  readonly usage: UsageBook
  readonly log: { error(details: object, message: string): void }
  /** Called after each lease with the budgets and those of them that are spent: they refused it and have too little left
   *  for an ordinary request. */
  readonly seen: (budgets: readonly BudgetUse[], spent: readonly BudgetUse[], day: string) => void
  /** A monotonic clock in milliseconds, for tests. */
  readonly clock?: (() => number) | undefined
}

/** A killed process leaves its leases counted as used. Leases start small, for a process that is killed again and again. */
const REQUESTS: Portions = { first: 10, full: 100, ordinary: 1 }
const BYTES: Portions = { first: 256 * 1024, full: 8 * 1024 * 1024, ordinary: 1024 * 1024 }
const PORTIONS: Readonly<Record<Kind, Portions>> = {
  writes: REQUESTS,
  reads: REQUESTS,
  deletes: REQUESTS,
  bytesIn: BYTES,
  bytesOut: BYTES,
}

/**
 * Counts requests and bytes in the database before they go to the bucket: nothing is sent that is not counted first, and
 * no budget falls back to memory. Amounts are leased, so that most requests need no query. Whatever is uncertain counts
 * as used, such as a lease whose answer or return was lost. Deletes are counted and always allowed.
 */
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
            log.error({ ...unused, err: error }, 'could not return a lease: it counts as used')
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

  /** Call when budgets or prices have changed, so that they apply in this process at once. */
  forgetRefusals(): void {
    for (const pool of Object.values(this.#pools)) pool.forgetRefusal()
  }

  /** Call every few seconds. */
  tidy(): void {
    for (const pool of Object.values(this.#pools)) pool.tidy()
  }

  /** Returns the unused rest of all leases. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#pools).map((pool) => pool.close()))
  }
}

interface RoomParts {
  readonly pool: LeasePool
  /** Null for a reservation of 0 bytes. */
  readonly taken: LeasedAmount | null
  readonly bytes: number
  readonly spend: (amount: number, nanos: number) => void
}

/** Bytes moved within the reservation are charged to it; bytes moved beyond it are owed and counted later. */
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
    // With nothing left, moved() has spent all the nanos.
    if (taken && this.#left > 0) pool.putBack({ day: taken.day, nanos: this.#nanos }, this.#left)
    this.#left = 0
    this.#nanos = 0
  }
}
