import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'

/*
 * A run of a backup has a row, which is also its lock: only one run is alive at a time, by the database's clock. A run whose
 * process died, or lost the database, ends by itself; it then deletes nothing more.
 */

/** How long a run that is no longer extended counts as alive. */
export const ALIVE_MS = 120_000
/** How often it is extended, with its progress. */
const BEAT_MS = 3_000
/** Nothing is deleted later than this after the last extension, by a clock that no one sets. */
const SURE_MS = ALIVE_MS / 3
/** Rows that are kept. */
const KEPT = 100

export type Cause = 'schedule' | 'page' | 'command'

export const steps = ['rows', 'objects', 'checking', 'pruning'] as const

/** What a run has done so far. */
export interface Progress {
  step: (typeof steps)[number]
  snapshot: string | null
  objects: number
  bytes: number
  doneObjects: number
  doneBytes: number
  sentObjects: number
  sentBytes: number
  damaged: number
  pruned: number
  requests: number
}

/** A run that has begun. */
export interface Run extends AsyncDisposable {
  /** Change it; it is written every few seconds, and at the end. */
  readonly progress: Progress
  /** Throws unless this is still the only run, so that what it found at the destination is still there. */
  check(): Promise<void>
  /** Throws unless that was so a moment ago. */
  assertSure(): void
  /** Ends the run; one with neither a snapshot nor a failure was interrupted. */
  end(failure: object | null): Promise<void>
}

const began = z.array(z.object({ id: z.string() }))
const rows = z.array(z.unknown())

/** Begins a run. Refuses if another one is alive. */
export async function beginRun(db: PrismaClient, cause: Cause, destination: string): Promise<Run> {
  const id = await transact(db, (tx) => insertRun(tx, cause, destination))
  const progress: Progress = {
    ...{ step: 'rows', snapshot: null, objects: 0, bytes: 0, doneObjects: 0, doneBytes: 0 },
    ...{ sentObjects: 0, sentBytes: 0, damaged: 0, pruned: 0, requests: 0 },
  }
  let sureUntil = performance.now() + SURE_MS
  const extend = async (): Promise<boolean> => {
    const began = performance.now()
    const isAlive = await writeProgress(db, id, progress)
    if (isAlive) sureUntil = began + SURE_MS
    return isAlive
  }
  let beat = Promise.resolve()
  // A failed attempt is followed by the next; `check` decides whether the run is still alive.
  const timer = setInterval(() => {
    beat = beat
      .then(() => extend())
      .then(
        () => undefined,
        () => undefined,
      )
  }, BEAT_MS).unref()
  return {
    progress,
    async check() {
      if (!(await extend())) throw refuse('backup-superseded')
    },
    assertSure() {
      if (performance.now() > sureUntil) throw refuse('backup-superseded')
    },
    async end(failure) {
      clearInterval(timer)
      await beat
      await extend()
      await db.$executeRaw`
        UPDATE "BackupRun" SET "endedAt" = clock_timestamp(), "failure" = ${failure && JSON.stringify(failure)}::jsonb
        WHERE "id" = ${id}::uuid AND "endedAt" IS NULL`
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await beat
    },
  }
}

async function insertRun(
  tx: Parameters<Parameters<typeof transact>[1]>[0],
  cause: Cause,
  destination: string,
): Promise<string> {
  await tx.$executeRaw`LOCK TABLE "BackupRun" IN SHARE ROW EXCLUSIVE MODE`
  const alive = await tx.$queryRaw`
    SELECT 1 FROM "BackupRun" WHERE "endedAt" IS NULL AND "aliveUntil" > clock_timestamp() LIMIT 1`
  if (rows.parse(alive).length > 0) throw refuse('backup-running')
  // The last good one says when the alarm is due.
  await tx.$executeRaw`
    DELETE FROM "BackupRun" WHERE "id" NOT IN (SELECT "id" FROM "BackupRun" ORDER BY "startedAt" DESC LIMIT ${KEPT})
      AND "id" NOT IN (SELECT "id" FROM "BackupRun" WHERE "snapshot" IS NOT NULL ORDER BY "endedAt" DESC LIMIT 1)`
  const [row] = began.parse(
    await tx.$queryRaw`
      INSERT INTO "BackupRun" ("id", "startedAt", "aliveUntil", "cause", "destination", "step")
      VALUES (gen_random_uuid(), clock_timestamp(), clock_timestamp() + ${ALIVE_MS} * interval '1 millisecond',
        ${cause}, ${destination}, 'rows')
      RETURNING "id"::text`,
  )
  if (!row) throw new Error('the database returned no row')
  return row.id
}

/** Extends a run and writes its progress. Returns false if it has lapsed, and another may have begun since. */
async function writeProgress(db: PrismaClient, id: string, now: Progress): Promise<boolean> {
  const written = await db.$queryRaw`
    UPDATE "BackupRun" SET "aliveUntil" = clock_timestamp() + ${ALIVE_MS} * interval '1 millisecond',
      "step" = ${now.step}, "snapshot" = ${now.snapshot}, "objects" = ${now.objects}, "bytes" = ${now.bytes},
      "doneObjects" = ${now.doneObjects}, "doneBytes" = ${now.doneBytes}, "sentObjects" = ${now.sentObjects},
      "sentBytes" = ${now.sentBytes}, "damaged" = ${now.damaged}, "pruned" = ${now.pruned}, "requests" = ${now.requests}
    WHERE "id" = ${id}::uuid AND "endedAt" IS NULL AND "aliveUntil" > clock_timestamp() RETURNING 1`
  return rows.parse(written).length > 0
}
