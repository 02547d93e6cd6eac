import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { type BudgetUnit, type Period, periods, units } from './budget.ts'

const spending = z.object({
  period: z.enum(periods),
  writes: z.number(),
  reads: z.number(),
  bytesIn: z.number(),
  bytesOut: z.number(),
  nanos: z.number(),
})

/** What is used in a period, whether it has a budget or not. */
export interface Spent {
  readonly period: Period
  readonly unit: BudgetUnit
  /** Money in nanos, without that for storage. */
  readonly used: number
}

/** Reads what today and this month have used of every unit, and what is stored. */
export async function readSpent(db: Pick<PrismaClient, '$queryRaw'>): Promise<readonly Spent[]> {
  const rows = z.array(spending).parse(
    await db.$queryRaw`
      SELECT "period", "writes"::float8, "reads"::float8, "bytesIn"::float8, "bytesOut"::float8,
        "nanos"::float8
      FROM "Spending" WHERE "start" = date_trunc("period", now() AT TIME ZONE 'UTC')::date`,
  )
  const [site] = z
    .array(z.object({ bytes: z.number() }))
    .parse(await db.$queryRaw`SELECT "bytes"::float8 FROM "SiteStorage" WHERE "id" = 1`)
  const ofPeriods = (['day', 'month'] as const).flatMap((period) => {
    const row = rows.find((each) => each.period === period)
    return units
      .filter((unit) => unit !== 'stored')
      .map((unit) => ({ period, unit, used: row ? usedOf(unit, row) : 0 }))
  })
  return [...ofPeriods, { period: 'standing', unit: 'stored', used: site?.bytes ?? 0 }]
}

function usedOf(unit: Exclude<BudgetUnit, 'stored'>, row: z.infer<typeof spending>): number {
  const { writes, reads, bytesIn, bytesOut, nanos } = row
  const used = { requests: writes + reads, writes, reads, bytes: bytesIn + bytesOut, bytesOut, money: nanos }
  return used[unit]
}
