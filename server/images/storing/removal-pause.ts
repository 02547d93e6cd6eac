import { z } from 'zod'
import type { PrismaClient, Transaction } from '#server/database/database.ts'

/*
 * A backup reads all objects that exist at one moment. Until it ends, it keeps a row that states until when no bytes may be
 * deleted, and extends it regularly. A removal checks for such rows after it has locked the object's row. Invariant: an object
 * that was live when the pause began is not deleted before it ends. A pause expires by the database's clock, because a process
 * may die.
 */

/** How long removals wait for a process that has stopped extending its pause. */
export const PAUSE_MS = 120_000

const pauseRow = z.tuple([z.object({ id: z.uuid() })])
const rows = z.array(z.unknown())

/** Starts a pause: no bytes are deleted from now on. Returns its id. */
export async function beginPause(db: PrismaClient, pauseMs = PAUSE_MS): Promise<string> {
  await db.$executeRaw`DELETE FROM "RemovalPause" WHERE "until" < clock_timestamp() - interval '1 day'`
  const begun = await db.$queryRaw`
    INSERT INTO "RemovalPause" ("id", "until")
    VALUES (gen_random_uuid(), clock_timestamp() + ${pauseMs} * interval '1 millisecond') RETURNING "id"::text`
  return pauseRow.parse(begun)[0].id
}

/** Extends a pause. Returns false if it has expired, and bytes may have been deleted since. */
export async function prolongPause(db: PrismaClient, id: string, pauseMs = PAUSE_MS): Promise<boolean> {
  const prolonged = await db.$queryRaw`
    UPDATE "RemovalPause" SET "until" = clock_timestamp() + ${pauseMs} * interval '1 millisecond'
    WHERE "id" = ${id}::uuid AND "until" > clock_timestamp() RETURNING 1`
  return rows.parse(prolonged).length > 0
}

export async function endPause(db: PrismaClient, id: string): Promise<void> {
  await db.removalPause.deleteMany({ where: { id } })
}

/** Whether removals are paused now. Call it after locking the row of what is to be deleted. */
export async function isPaused(tx: Transaction): Promise<boolean> {
  const good = await tx.$queryRaw`SELECT 1 FROM "RemovalPause" WHERE "until" > clock_timestamp() LIMIT 1`
  return rows.parse(good).length > 0
}
