import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { type Budget, type BudgetUse, judgeBudget, periodEnd, periodStart } from './budget.ts'
import { budgetKey } from './budget-item.ts'

/** A budget has reached 80 % or all of its limit. */
export interface BudgetEvent extends Budget {
  readonly state: 'near' | 'spent'
  readonly used: number
  /** ISO 8601; null for a standing budget, which never resets. */
  readonly resetsAt: string | null
}

/** Stores an event for delivery, in the given transaction; sends nothing itself. */
export type Notify = (tx: Transaction, event: BudgetEvent) => Promise<void>

interface BudgetEventsDependencies {
  readonly db: PrismaClient
  readonly log: { warn(details: object, message: string): void; error(details: object, message: string): void }
}

interface Seen {
  readonly use: BudgetUse
  readonly state: 'near' | 'spent'
  readonly day: string
}

const NEVER = 'no day'

/** Announces that a budget is near its limit or spent: once per limit and period across all processes, because a row of
 *  BudgetEvent claims the announcement. After 'spent', 'near' is not announced any more. */
export class BudgetEvents {
  readonly #parts: BudgetEventsDependencies
  #notify: Notify | null = null
  /** Announcements that this process has made on `#day`, or found already made. */
  #known = new Set<string>()
  #day = NEVER
  #claiming = new Set<Promise<void>>()

  constructor(parts: BudgetEventsDependencies) {
    this.#parts = parts
  }

  /** Sends events through `notify`, in the transaction that claims them, so that a crash neither loses nor repeats one.
   *  Before this call no event is claimed. */
  notifyWith(notify: Notify): void {
    this.#notify = notify
  }

  /** Call after each lease, with the budgets and those of them that are spent although something is left. */
  seen(budgets: readonly BudgetUse[], spent: readonly BudgetUse[], day: string): void {
    if (day !== this.#day) {
      this.#known = new Set()
      this.#day = day
    }
    const notify = this.#notify
    if (!notify) return
    for (const use of budgets) {
      const state = spent.some(({ period, unit }) => period === use.period && unit === use.unit)
        ? 'spent'
        : judgeBudget(use)
      if (state !== 'fine') this.#claim({ use, state, day }, notify)
    }
  }

  /** Resolves when everything seen so far has been announced. */
  async idle(): Promise<void> {
    await Promise.all(this.#claiming)
  }

  #claim(seen: Seen, notify: Notify): void {
    const { use, state } = seen
    const key = `${budgetKey(use)}/${state}`
    if (this.#known.has(key)) return
    this.#known.add(key)
    const claiming = this.#tell(seen, notify)
      .catch((error: unknown) => {
        this.#known.delete(key)
        this.#parts.log.error({ err: error, budget: budgetKey(use), state }, 'could not announce the state of a budget')
      })
      .finally(() => this.#claiming.delete(claiming))
    this.#claiming.add(claiming)
  }

  async #tell({ use: { period, unit, limit, used }, state, day }: Seen, notify: Notify): Promise<void> {
    const { db, log } = this.#parts
    const event = { period, unit, limit, used, state, resetsAt: periodEnd(period, day)?.toISOString() ?? null }
    const isFirst = await transact(db, async (tx) => {
      const claimed = await tx.$executeRaw`
        INSERT INTO "BudgetEvent" ("period", "unit", "start", "limit", "state", "used", "at")
        SELECT ${period}, ${unit}, ${periodStart(period, day)}::date, ${limit}::bigint, ${state}, ${used}::bigint,
          clock_timestamp()
        WHERE NOT EXISTS (
          SELECT FROM "BudgetEvent" WHERE "period" = ${period} AND "unit" = ${unit}
            AND "start" = ${periodStart(period, day)}::date AND "limit" = ${limit}::bigint AND "state" = 'spent'
        )
        ON CONFLICT DO NOTHING`
      if (claimed > 0) await notify(tx, event)
      return claimed > 0
    })
    if (isFirst) log.warn(event, state === 'near' ? 'a budget is near its limit' : 'a budget is spent')
  }
}

/** Returns the keys (`budgetKey`) of budgets announced as spent in the period that contains `day`; of standing budgets, ever. */
export async function spentBudgets(db: PrismaClient, day: string): Promise<ReadonlySet<string>> {
  const rows: { period: string; unit: string; limit: bigint }[] = await db.budgetEvent.findMany({
    where: {
      state: 'spent',
      OR: [
        { period: 'day', start: new Date(periodStart('day', day)) },
        { period: 'month', start: new Date(periodStart('month', day)) },
        { period: 'standing' },
      ],
    },
    select: { period: true, unit: true, limit: true },
  })
  return new Set(rows.map(({ period, unit, limit }) => `${period}/${unit}/${limit}`))
}
