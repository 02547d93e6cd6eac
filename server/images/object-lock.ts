import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'
import type { ObjectState } from '../../generated/prisma/enums.ts'

const lockedRow = z.tuple([z.object({ state: z.enum(['live', 'deleting']) })])

/**
 * Locks an object's row until the transaction ends, making it when there is none. A new row says `deleting`: its bytes
 * are not vouched for until the caller has looked. One statement, so that no deletion slips between.
 */
export async function lockObject(tx: Transaction, sha256: string, size: number): Promise<ObjectState> {
  const rows = await tx.$queryRaw`
    INSERT INTO "StoredObject" ("sha256", "size", "state") VALUES (${sha256}, ${size}, 'deleting')
    ON CONFLICT ("sha256") DO UPDATE SET "size" = EXCLUDED."size"
    RETURNING "state"::text`
  return lockedRow.parse(rows)[0].state
}

/** Locks an object's row, if there is one, until the transaction ends. */
export async function lockExistingObject(tx: Transaction, sha256: string): Promise<ObjectState | null> {
  const rows = await tx.$queryRaw`SELECT "state"::text FROM "StoredObject" WHERE "sha256" = ${sha256} FOR UPDATE`
  return lockedRow.safeParse(rows).data?.[0].state ?? null
}
