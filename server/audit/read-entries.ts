import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import type { Position } from '#server/trpc/cursor.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { NOBODY } from './audit.ts'
import { afterPosition } from './cursor.ts'
import { type EntryRow, entryColumns, entryRow } from './entry.ts'
import { type AuditFilter, indexedConditions, scannedConditions } from './filter.ts'

/** Entries that a call compares with a filter that no index serves, so that it takes tens of milliseconds at most, whatever is
 *  stored. A page may therefore have fewer entries than asked for, or none, and still have a next one. */
export const SCANNED_AT_ONCE = 5_000

export interface EntryQuery {
  readonly filter: AuditFilter
  /** Which entries may be seen at all. */
  readonly visible: Prisma.Sql
  readonly after: Position | null
  readonly limit: number
}

/** `next` is the position after which there may be more entries; null at the end. */
export interface EntryPage {
  readonly rows: readonly EntryRow[]
  readonly next: Position | null
}

const positions = z.array(z.object({ id: z.string(), at: z.date() }))

/** Returns entries, newest first. */
export async function readEntries(db: PrismaClient, { filter, visible, after, limit }: EntryQuery): Promise<EntryPage> {
  const scanned = scannedConditions(filter)
  const most = scanned.length > 0 ? SCANNED_AT_ONCE : limit + 1
  const part = await entryPart(db, { filter, visible, after, limit: most })
  const matching = Prisma.join([Prisma.sql`TRUE`, ...scanned], ' AND ')
  const found = await db.$queryRaw`
    SELECT ${entryColumns} FROM (${part}) AS "part" WHERE ${matching} ORDER BY "part"."at" DESC, "part"."id" DESC
    LIMIT ${limit + 1}::int`
  const rows = z.array(entryRow).parse(found)
  const page = rows.slice(0, limit)
  if (rows.length > limit) return { rows: page, next: page.at(-1) ?? null }
  if (scanned.length === 0) return { rows: page, next: null }
  const [last] = positions.parse(
    await db.$queryRaw`SELECT "id"::text, "at" FROM (${part}) AS "part" OFFSET ${most - 1}::int LIMIT 1`,
  )
  return { rows: page, next: last ?? null }
}

/** Returns the query for the entries that are read by index, before further conditions are applied. */
export async function entryPart(db: PrismaClient, { filter, visible, after, limit }: EntryQuery): Promise<Prisma.Sql> {
  const named = { actors: await findAccounts(db, filter.actor), accounts: await findAccounts(db, filter.account) }
  const indexed = [visible, ...(after ? [afterPosition(after)] : []), ...indexedConditions(filter, named)]
  return Prisma.sql`
    SELECT * FROM "AuditEntry" WHERE ${Prisma.join(indexed, ' AND ')} ORDER BY "at" DESC, "id" DESC LIMIT ${limit}::int`
}

const ids = z.array(z.object({ id: z.string() }))

/** The command line's name in entries. */
const COMMAND_LINE = 'the command line'

/** Returns the IDs of the accounts with a user name, deleted ones included; null without a name. */
async function findAccounts(db: PrismaClient, username: string | undefined): Promise<readonly string[] | null> {
  if (username === undefined) return null
  const key = username.toLowerCase()
  if (key === COMMAND_LINE) return [NOBODY]
  const found = await db.$queryRaw`
    SELECT "id"::text FROM "User" WHERE "usernameKey" = ${key}
    UNION SELECT "accountId"::text FROM "AuditEntry"
    WHERE "action" = 'user.delete' AND lower("accountName") = ${key} AND "accountId" IS NOT NULL`
  return ids.parse(found).map(({ id }) => id)
}
