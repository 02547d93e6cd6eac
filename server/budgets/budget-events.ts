import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { type Budget, type BudgetUse, endOf, startOf, stateOf } from './budget.ts'
import { keyOf } from './budget-item.ts'

/** A budget came near its end, or to it. */
export interface BudgetEvent extends Budget {
  readonly state: 'near' | 'spent'
  readonly used: number
  /** ISO 8601; null for one that does not end by itself. */
  readonly resetsAt: string | null
}

/** Stores an event for delivery, in the given transaction; sends nothing itself. */
export type Notify = (tx: Transaction, event: BudgetEvent) => Promise<void>

interface Parts {
  readonly db: PrismaClient
  readonly log: { warn(details: object, message: string): void; error(details: object, message: string): void }
}

interface Seen {
  readonly use: BudgetUse
  readonly state: 'near' | 'spent'
  readonly day: string
}

const NEVER = 'no day'

/** Announces once for each limit and period that a budget is near its end or spent, whichever process sees it first.
 *  After 'spent' nothing more is announced. */
export class BudgetEvents {
  readonly #parts: Parts
  #notify: Notify | null = null
  /** Announcements that this process has made or found made, in the period of `#day`. */
  #known = new Set<string>()
  #day = NEVER
  #claiming = new Set<Promise<void>>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** From now on announces events by `notify`, in the transaction that claims them: exactly once, even through a crash.
   *  Before this call nothing is claimed. */
  tellBy(notify: Notify): void {
    this.#notify = notify
  }

  /** To be called with the budgets as they are after each lease, and with those that are spent though something is left. */
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
        : stateOf(use)
      if (state !== 'fine') this.#claim({ use, state, day }, notify)
    }
  }

  /** Resolves when everything seen so far has been announced. */
  async idle(): Promise<void> {
    await Promise.all(this.#claiming)
  }

  #claim(seen: Seen, notify: Notify): void {
    const { use, state } = seen
    const key = `${keyOf(use)}/${state}`
    if (this.#known.has(key)) return
    this.#known.add(key)
    const claiming = this.#tell(seen, notify)
      .catch((error: unknown) => {
        this.#known.delete(key)
        this.#parts.log.error({ err: error, budget: keyOf(use), state }, 'the state of a budget was not told')
      })
      .finally(() => this.#claiming.delete(claiming))
    this.#claiming.add(claiming)
  }

  async #tell({ use: { period, unit, limit, used }, state, day }: Seen, notify: Notify): Promise<void> {
    const { db, log } = this.#parts
    const event = { period, unit, limit, used, state, resetsAt: endOf(period, day)?.toISOString() ?? null }
    const isFirst = await transact(db, async (tx) => {
      const claimed = await tx.$executeRaw`
        INSERT INTO "BudgetEvent" ("period", "unit", "start", "limit", "state", "used", "at")
        SELECT ${period}, ${unit}, ${startOf(period, day)}::date, ${limit}::bigint, ${state}, ${used}::bigint,
          clock_timestamp()
        WHERE NOT EXISTS (
          SELECT FROM "BudgetEvent" WHERE "period" = ${period} AND "unit" = ${unit}
            AND "start" = ${startOf(period, day)}::date AND "limit" = ${limit}::bigint AND "state" = 'spent'
        )
        ON CONFLICT DO NOTHING`
      if (claimed > 0) await notify(tx, event)
      return claimed > 0
    })
    if (isFirst) log.warn(event, state === 'near' ? 'a budget is near its end' : 'a budget is spent')
  }
}

/** The budgets, by `keyOf`, that were spent in the period that `day` lies in, or ever where theirs has no end. */
export async function spentBudgets(db: PrismaClient, day: string): Promise<ReadonlySet<string>> {
  const rows: { period: string; unit: string; limit: bigint }[] = await db.budgetEvent.findMany({
    where: {
      state: 'spent',
      OR: [
        { period: 'day', start: new Date(startOf('day', day)) },
        { period: 'month', start: new Date(startOf('month', day)) },
        { period: 'standing' },
      ],
    },
    select: { period: true, unit: true, limit: true },
  })
  return new Set(rows.map(({ period, unit, limit }) => `${period}/${unit}/${limit}`))
}
