import type { PrismaClient, Transaction } from '#server/database/database.ts'
import type { Meter } from '#server/storage/meter.ts'
import type { Prices } from './bill/prices.ts'
import { BudgetEvents, type Notify, spentBudgets } from './budget-events.ts'
import { type BudgetItem, budgetItem, ordinaryNanos } from './budget-item.ts'
import { BucketMeter } from './leases/bucket-meter.ts'
import { UsageBook } from './leases/usage-book.ts'
import { spentBy } from './spent-message.ts'
import { countStored } from './stored-bytes.ts'
import { type HeldTerms, readTerms } from './terms.ts'

/** Figures of the caches in front of the bucket since the process started. */
export interface CacheFigures {
  readonly hits: number
  readonly misses: number
  /** 0 where nothing was asked. */
  readonly hitRatio: number
  readonly bytes: number
  readonly objects: number
  readonly maxBytes: number
  /** What the hits would have cost at the bucket, in nanos. */
  readonly savedNanos: number
}

/** The terms in force and what is used of them, as pages show it. */
export interface BudgetsNow extends Omit<HeldTerms, 'budgets'> {
  readonly items: readonly BudgetItem[]
}

/** Everything about the cost of the bucket; one for each process. */
export interface Budgets {
  /** The meter that the store must ask for everything it sends to the bucket. */
  readonly meter: Meter
  readonly usage: UsageBook
  /** Counts what a transaction adds to what is stored, behind its other locks. 'too-large' where there is no room for so
   *  much; throws BudgetSpent where there is none for an ordinary upload either. */
  countStored(tx: Transaction): Promise<'fits' | 'too-large'>
  read(): Promise<BudgetsNow>
  /** Today by the database's clock, in UTC: `YYYY-MM-DD`. */
  today(): Promise<string>
  /** The caches' figures, with what the hits would have cost at these prices. */
  cacheFigures(prices: Prices): CacheFigures | null
  /** From now on whoever is to know is told of a budget that is near its end, or spent. */
  tellBy(notify: Notify): void
  /** To be called after a change of what holds: in this process it does so at once. */
  changed(): void
  /** Gives back what is leased, and writes what is not written. */
  close(): Promise<void>
}

interface Parts {
  readonly db: PrismaClient
  /** The prices that apply when the owner has entered none. */
  readonly prices: Prices
  readonly log: { warn(details: object, message: string): void; error(details: object, message: string): void }
  readonly cacheFigures: (prices: Prices) => CacheFigures | null
}

/** Milliseconds between two flushes of the usage book. */
const EACH_MS = 5_000
/** Milliseconds between two looks at what nobody may have asked for. */
const LOOK_MS = 60 * 60_000

/** Opens the budgets; the store is opened with their meter. */
export function openBudgets({ db, prices, log, cacheFigures }: Parts): Budgets {
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
  }, EACH_MS).unref()
  /** A new month begins with what storage costs in it, and may be spent by that before anybody asks for anything. */
  async function look(): Promise<void> {
    try {
      const { budgets, day } = await readTerms(db, terms)
      const passing = budgets.filter(({ period }) => period !== 'standing')
      events.seen(passing, [], day)
    } catch (error) {
      log.error({ err: error }, 'the budgets were not looked at')
    }
  }
  let looking = Promise.resolve()
  const looks = setInterval(() => {
    looking = look()
  }, LOOK_MS).unref()
  return {
    meter,
    usage,
    async countStored(tx) {
      const { budgets, spent, day, outcome } = await countStored(tx, terms)
      // Told behind the transaction: there may be one connection alone.
      setImmediate(() => events.seen(budgets, spent, day))
      if (outcome === 'full') throw spentBy(spent, day)
      return outcome
    },
    async read() {
      const { budgets, ...held } = await readTerms(db, terms)
      const spent = await spentBudgets(db, held.day)
      const ordinary = ordinaryNanos(held.prices)
      return { ...held, items: budgets.map((use) => budgetItem(use, held.day, spent, ordinary)) }
    },
    today: async () => (await readTerms(db, terms)).day,
    cacheFigures,
    tellBy: (notify) => events.tellBy(notify),
    changed: () => meter.forgetRefusals(),
    async close() {
      clearInterval(timer)
      clearInterval(looks)
      await looking
      await meter.close()
      await usage.flush()
      await events.idle()
    },
  }
}
