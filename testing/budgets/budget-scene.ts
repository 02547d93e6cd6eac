import { type Prices, published } from '#server/budgets/bill/prices.ts'
import type { BudgetUnit, Period } from '#server/budgets/budget.ts'
import { type BudgetEvent, BudgetEvents } from '#server/budgets/budget-events.ts'
import { BucketMeter } from '#server/budgets/leases/bucket-meter.ts'
import { UsageBook } from '#server/budgets/leases/usage-book.ts'
import { readTerms } from '#server/budgets/terms.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { Prisma } from '../../generated/prisma/client.ts'

/** A process's meter, and the notifications that it has sent. */
export interface MeterMember {
  readonly meter: BucketMeter
  readonly usage: UsageBook
  readonly events: BudgetEvents
  readonly notified: BudgetEvent[]
  readonly logged: object[]
}

/** Meters of several processes over one database. The test sets the date and the clock. */
export class BudgetScene {
  readonly db: PrismaClient
  /** The database's time. */
  time = new Date('2026-11-21T12:00:00Z')
  /** The time of the processes' clocks, in milliseconds. */
  clock = 0
  prices: Prices = published.disk

  constructor(db: PrismaClient) {
    this.db = db
  }

  /** Resets what is spent, and deletes all budgets. */
  async clear(): Promise<void> {
    await this.db.$executeRaw`
      TRUNCATE "Spending", "Budget", "SpendingTerms", "BudgetEvent", "UsageDay", "ObjectUsageDay", "ImageUsageDay",
        "AuditEntry"`
    this.time = new Date('2026-11-21T12:00:00Z')
    this.prices = published.disk
  }

  /** Advances the time of the database and of the processes. */
  pass(ms: number): void {
    this.time = new Date(this.time.getTime() + ms)
    this.clock += ms
  }

  get terms() {
    return { prices: this.prices, now: Prisma.sql`${this.time.toISOString()}::timestamptz` }
  }

  member(db: PrismaClient = this.db): MeterMember {
    const scene = this
    const notified: BudgetEvent[] = []
    const logged: object[] = []
    const log = { warn: () => undefined, error: (details: object) => logged.push(details) }
    const usage = new UsageBook({ db, log, today: () => scene.time.toISOString().slice(0, 10) })
    const events = new BudgetEvents({ db, log })
    events.notifyWith(async (_tx, event) => void notified.push(event))
    const terms = {
      get prices() {
        return scene.terms.prices
      },
      get now() {
        return scene.terms.now
      },
    }
    const meter = new BucketMeter({
      db,
      terms,
      usage,
      log,
      seen: (budgets, spent, day) => events.seen(budgets, spent, day),
      clock: () => scene.clock,
    })
    return { meter, usage, events, notified, logged }
  }

  async budget(period: Period, unit: BudgetUnit, limit: number): Promise<void> {
    const data = { limit, changedAt: new Date(), changedBy: 'test' }
    await this.db.budget.upsert({
      where: { period_unit: { period, unit } },
      create: { period, unit, ...data },
      update: data,
    })
  }

  /** The counts of the period that begins on this day; zeros if there are none. */
  async spent(period: 'day' | 'month' = 'day', start = this.time.toISOString().slice(0, period === 'day' ? 10 : 7)) {
    const date = new Date(period === 'day' ? start : `${start.slice(0, 7)}-01`)
    const row = await this.db.spending.findUnique({ where: { period_start: { period, start: date } } })
    const { writes = 0n, reads = 0n, deletes = 0n, bytesIn = 0n, bytesOut = 0n, nanos = 0n } = row ?? {}
    return {
      writes: Number(writes),
      reads: Number(reads),
      deletes: Number(deletes),
      bytesIn: Number(bytesIn),
      bytesOut: Number(bytesOut),
      nanos: Number(nanos),
    }
  }

  read() {
    return readTerms(this.db, this.terms)
  }
}

/** Returns how many of this many requests are allowed, and the refusals of the others. */
export async function askMeter(meter: BucketMeter, times: number, kind: 'reads' | 'writes' | 'deletes' = 'reads') {
  const results = await Promise.allSettled(Array.from({ length: times }, () => meter.request(kind)))
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  return { passed: times - errors.length, errors }
}
