import { z } from 'zod'
import type { PrismaClient, Transaction } from '#server/database/database.ts'

/*
 * Whoever reads all objects of a moment, for a backup, has a row that says until when no bytes may be deleted, and moves that
 * on while it lives. Whoever claims an object for deletion looks for such rows once the object's row is locked: so an object
 * that was live after the pause began is not deleted before it ends. It lapses by the database's clock, for a process may die.
 */

/** How long removals wait for a process that gives no sign of life. */
export const PAUSE_MS = 120_000

const pauseRow = z.tuple([z.object({ id: z.uuid() })])
const rows = z.array(z.unknown())

/** From now on no bytes are deleted. Answers the pause's id. */
export async function beginPause(db: PrismaClient, pauseMs = PAUSE_MS): Promise<string> {
  await db.$executeRaw`DELETE FROM "RemovalPause" WHERE "until" < clock_timestamp() - interval '1 day'`
  const begun = await db.$queryRaw`
    INSERT INTO "RemovalPause" ("id", "until")
    VALUES (gen_random_uuid(), clock_timestamp() + ${pauseMs} * interval '1 millisecond') RETURNING "id"::text`
  return pauseRow.parse(begun)[0].id
}

/** Moves the end of a pause on. False when it has lapsed, and bytes may have been deleted since. */
export async function prolongPause(db: PrismaClient, id: string, pauseMs = PAUSE_MS): Promise<boolean> {
  const prolonged = await db.$queryRaw`
    UPDATE "RemovalPause" SET "until" = clock_timestamp() + ${pauseMs} * interval '1 millisecond'
    WHERE "id" = ${id}::uuid AND "until" > clock_timestamp() RETURNING 1`
  return rows.parse(prolonged).length > 0
}

export async function endPause(db: PrismaClient, id: string): Promise<void> {
  await db.removalPause.deleteMany({ where: { id } })
}

/** Whether bytes may not be deleted now; to be asked behind the lock of what is to be deleted. */
export async function isPaused(tx: Transaction): Promise<boolean> {
  const good = await tx.$queryRaw`SELECT 1 FROM "RemovalPause" WHERE "until" > clock_timestamp() LIMIT 1`
  return rows.parse(good).length > 0
}
