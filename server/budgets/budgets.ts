import type { PrismaClient } from '#server/database/database.ts'
import { type Meter, unmetered } from '#server/storage/meter.ts'
import { type BudgetItem, budgetItem } from './budget-item.ts'
import type { Prices } from './prices.ts'
import { type HeldTerms, readTerms } from './terms.ts'

/** What the caches in front of the bucket have done since the process started. */
export interface CacheFigures {
  readonly hits: number
  readonly misses: number
  /** 0 where nothing was asked. */
  readonly hitRatio: number
  readonly bytes: number
  readonly objects: number
  readonly maxBytes: number
  /** What the hits would have cost. */
  readonly savedNanos: number
}

/** What holds now, as pages show it. */
export interface BudgetsNow extends Omit<HeldTerms, 'budgets'> {
  readonly items: readonly BudgetItem[]
}

/** What exists once in a process for what the bucket costs. */
export interface Budgets {
  /** For the store: all that is asked of the bucket goes by it. */
  readonly meter: Meter
  read(): Promise<BudgetsNow>
  /** Today by the database's clock, in UTC: `YYYY-MM-DD`. */
  today(): Promise<string>
  cacheFigures(): CacheFigures | null
  /** To be called after a change of what holds: what was refused may be asked again. */
  changed(): void
  close(): Promise<void>
}

interface Parts {
  readonly db: PrismaClient
  /** What is charged where the owner has entered nothing. */
  readonly prices: Prices
}

/** Opens the budgets; the store is opened with their meter. */
export function openBudgets({ db, prices }: Parts): Budgets {
  return {
    meter: unmetered,
    async read() {
      const { budgets, ...held } = await readTerms(db, { prices })
      return { ...held, items: budgets.map((use) => budgetItem(use, held.day, new Set())) }
    },
    today: async () => (await readTerms(db, { prices })).day,
    cacheFigures: () => null,
    changed: () => undefined,
    close: async () => undefined,
  }
}
