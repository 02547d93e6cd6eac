import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'

export interface Column {
  readonly name: string
  /** The SQL type: `timestamp(3) with time zone`, `"Role"`, `text[]`. */
  readonly type: string
  /** Part of the primary key. */
  readonly isKey: boolean
  /** Has a sequence. */
  readonly isSerial: boolean
}

/** A table as described by the database's catalogue, so that additions to the schema are backed up without further work. */
export interface DatabaseTable {
  readonly name: string
  readonly columns: readonly Column[]
}

/** Tables left out of backups. */
const EXCLUDED_TABLES = new Set([
  // Written by migrations.
  '_prisma_migrations',
  // Users sign in again after a restore.
  'Session',
  'Device',
  'PendingSignIn',
  'OidcFlow',
  'PasskeyChallenge',
  // Belongs to running processes.
  'RemovalPause',
  // Say what one destination has, from which the restored site may not go on.
  'BackupRun',
  'BackupLeftover',
  // Counted by a trigger when objects are inserted.
  'SiteStorage',
])

const columnRows = z.array(
  z.object({ table: z.string(), name: z.string(), type: z.string(), isKey: z.boolean(), isSerial: z.boolean() }),
)
const references = z.array(z.object({ from: z.string(), to: z.string() }))

/** Returns the tables of a backup, each after those that it references. */
export async function readCatalogue(tx: Pick<Transaction, '$queryRaw'>): Promise<readonly DatabaseTable[]> {
  const columns = columnRows.parse(
    await tx.$queryRaw`
    SELECT "class"."relname"::text AS "table", "attribute"."attname"::text AS "name",
      format_type("attribute"."atttypid", "attribute"."atttypmod") AS "type",
      COALESCE("attribute"."attnum" = ANY("key"."indkey"), false) AS "isKey",
      pg_get_serial_sequence(quote_ident("class"."relname"), "attribute"."attname") IS NOT NULL AS "isSerial"
    FROM pg_class AS "class"
    JOIN pg_attribute AS "attribute" ON "attribute"."attrelid" = "class"."oid"
    LEFT JOIN pg_index AS "key" ON "key"."indrelid" = "class"."oid" AND "key"."indisprimary"
    WHERE "class"."relnamespace" = current_schema()::text::regnamespace AND "class"."relkind" = 'r'
      AND "attribute"."attnum" > 0 AND NOT "attribute"."attisdropped"
    ORDER BY "class"."relname", "attribute"."attnum"`,
  )
  const referring = references.parse(
    await tx.$queryRaw`
    SELECT "one"."relname"::text AS "from", "other"."relname"::text AS "to" FROM pg_constraint
    JOIN pg_class AS "one" ON "one"."oid" = "conrelid" JOIN pg_class AS "other" ON "other"."oid" = "confrelid"
    WHERE "contype" = 'f' AND "connamespace" = current_schema()::text::regnamespace`,
  )
  const kept = columns.filter(({ table }) => !EXCLUDED_TABLES.has(table))
  const tables = Object.entries(Object.groupBy(kept, ({ table }) => table)).map(([name, columns = []]) => ({
    name,
    columns: columns.map(({ table: _, ...column }) => column),
  }))
  return sortByReferences(tables, referring)
}

function sortByReferences(
  tables: readonly DatabaseTable[],
  referring: z.infer<typeof references>,
): readonly DatabaseTable[] {
  const ordered: DatabaseTable[] = []
  let left = tables
  while (left.length > 0) {
    const names = new Set(left.map(({ name }) => name))
    const waits = ({ name }: DatabaseTable) => referring.some(({ from, to }) => from === name && names.has(to))
    const ready = left.filter((table) => !waits(table))
    if (ready.length === 0) throw new Error(`circular references between tables: ${[...names].join(', ')}`)
    ordered.push(...ready)
    left = left.filter(waits)
  }
  return ordered
}

/** Returns a name as a quoted SQL identifier. */
export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`
