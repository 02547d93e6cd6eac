import type { PrismaClient, Transaction } from '#server/database/database.ts'
import type { Meter } from '#server/storage/meter.ts'
import type { Prices } from './bill/prices.ts'
import { BudgetEvents, type Notify, spentBudgets } from './budget-events.ts'
import { type BudgetItem, budgetItem, ordinaryNanos } from './budget-item.ts'
import { budgetSpentError } from './budget-spent.ts'
import { BucketMeter } from './leases/bucket-meter.ts'
import { UsageBook } from './leases/usage-book.ts'
import { countStored } from './stored-bytes.ts'
import { type CurrentTerms, readTerms } from './terms.ts'

/** Figures of the caches in front of the bucket since the process started. */
export interface CacheReport {
  readonly hits: number
  readonly misses: number
  /** 0 without any reads. */
  readonly hitRatio: number
  readonly bytes: number
  readonly objects: number
  readonly maxBytes: number
  /** What the hits would have cost at the bucket, in nanos. */
  readonly savedNanos: number
}

/** The budgets and prices in force, and what is used, as pages show it. */
export interface BudgetsNow extends Omit<CurrentTerms, 'budgets'> {
  readonly items: readonly BudgetItem[]
}

/** What the bucket may cost and has cost; one instance per process. */
export interface Budgets {
  /** The store asks this meter before every request it sends to the bucket. */
  readonly meter: Meter
  readonly usage: UsageBook
  /** Counts the bytes that a transaction adds to storage; call after its other locks are taken. Returns 'too-large' if
   *  there is no room for them and for `known` more, and throws BudgetSpent if there is none for an ordinary upload either. */
  countStored(tx: Transaction, known?: number): Promise<'fits' | 'too-large'>
  read(): Promise<BudgetsNow>
  /** Today by the database's clock, in UTC: `YYYY-MM-DD`. */
  today(): Promise<string>
  /** Returns the caches' figures, with what the hits would have cost at these prices; null without a cache. */
  cacheFigures(prices: Prices): CacheReport | null
  /** Calls `notify` when a budget is near its limit or spent. */
  notifyWith(notify: Notify): void
  /** Call after budgets or prices were changed, so that this process applies them at once. */
  changed(): void
  /** Returns all leases and flushes the usage book. */
  close(): Promise<void>
}

interface BudgetsDependencies {
  readonly db: PrismaClient
  /** The prices that apply when the owner has entered none. */
  readonly prices: Prices
  readonly log: { warn(details: object, message: string): void; error(details: object, message: string): void }
  readonly cacheFigures: (prices: Prices) => CacheReport | null
}

/** How often the usage book is flushed. */
const FLUSH_MS = 5_000
/** How often the budgets are checked even if no request comes. */
const CHECK_MS = 60 * 60_000

/** Opens the budgets; open the store with their meter. */
export function openBudgets({ db, prices, log, cacheFigures }: BudgetsDependencies): Budgets {
  const terms = { prices }
  const usage = new UsageBook({ db, log })
  const events = new BudgetEvents({ db, log })
  const meter = new BucketMeter({
    db,
    terms,
    usage,
    log,
    seen: (budgets, spent, day) => events.seen(budgets, spent, day),
  })
  const timer = setInterval(() => {
    meter.tidy()
    void usage.flush()
  }, FLUSH_MS).unref()
  /** A month's storage is charged from its first day on, so a budget may be spent before any request. */
  async function checkBudgets(): Promise<void> {
    try {
      const { budgets, day } = await readTerms(db, terms)
      const resetting = budgets.filter(({ period }) => period !== 'standing')
      events.seen(resetting, [], day)
    } catch (error) {
      log.error({ err: error }, 'could not check the budgets')
    }
  }
  let checking = Promise.resolve()
  const checks = setInterval(() => {
    checking = checkBudgets()
  }, CHECK_MS).unref()
  return {
    meter,
    usage,
    async countStored(tx, known) {
      const { budgets, spent, day, outcome } = await countStored(tx, terms, known)
      // Announced after the transaction: PGlite has a single connection.
      setImmediate(() => events.seen(budgets, spent, day))
      if (outcome === 'full') throw budgetSpentError(spent, day)
      return outcome
    },
    async read() {
      const { budgets, ...current } = await readTerms(db, terms)
      const spent = await spentBudgets(db, current.day)
      const ordinary = ordinaryNanos(current.prices)
      return { ...current, items: budgets.map((use) => budgetItem(use, current.day, spent, ordinary)) }
    },
    today: async () => (await readTerms(db, terms)).day,
    cacheFigures,
    notifyWith: (notify) => events.notifyWith(notify),
    changed: () => meter.forgetRefusals(),
    async close() {
      clearInterval(timer)
      clearInterval(checks)
      await checking
      await meter.close()
      await usage.flush()
      await events.idle()
    },
  }
}
