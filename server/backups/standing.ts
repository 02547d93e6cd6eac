import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { readDatabaseTime } from '#server/database/database-time.ts'
import type { BackupSettings } from '#server/site/settings.ts'
import { timesAround } from './schedule.ts'

const HOUR_MS = 60 * 60_000

/** How backups stand, by the database's clock. */
export interface Standing {
  readonly now: Date
  /** The moment of the last good backup; null before the first. */
  readonly goodAt: Date | null
  /** Null if none is scheduled. */
  readonly nextAt: Date | null
  /** Whether the last scheduled time has passed without a run. */
  readonly isDue: boolean
  readonly isRunning: boolean
  /** Whether the last good backup is older than the settings allow. */
  readonly isLate: boolean
  /** The run after which a good one is late, and whether that was announced; null if none is late. */
  readonly late: { readonly id: string; readonly isAnnounced: boolean } | null
}

/** Reads how backups stand. Runs of the future, which a clock that was set back leaves, count for nothing. */
export async function readStanding(db: PrismaClient, { times, lateHours }: BackupSettings): Promise<Standing> {
  const { now, rows } = await readRuns(db)
  const good = rows.find(({ isGood }) => isGood)
  const from = good ?? rows.at(-1)
  const around = timesAround(now, times)
  const isLate =
    around !== null &&
    from !== undefined &&
    lateHours > 0 &&
    now.getTime() - from.startedAt.getTime() > lateHours * HOUR_MS
  return {
    now,
    goodAt: good?.startedAt ?? null,
    nextAt: around?.next ?? null,
    isDue: around !== null && !rows.some(({ startedAt }) => startedAt >= around.last),
    isRunning: rows.some(({ isAlive }) => isAlive),
    isLate,
    late: isLate ? from : null,
  }
}

const runRows = z.array(
  z.object({
    id: z.string(),
    startedAt: z.date(),
    isGood: z.boolean(),
    isAlive: z.boolean(),
    isAnnounced: z.boolean(),
  }),
)

async function readRuns(db: PrismaClient) {
  const now = await readDatabaseTime(db)
  const rows = runRows.parse(
    await db.$queryRaw`
      SELECT "id"::text, "startedAt", "snapshot" IS NOT NULL AS "isGood", "lateAt" IS NOT NULL AS "isAnnounced",
        "endedAt" IS NULL AND "aliveUntil" > ${now} AS "isAlive"
      FROM "BackupRun" WHERE "startedAt" <= ${now} ORDER BY "startedAt" DESC`,
  )
  return { now, rows }
}
