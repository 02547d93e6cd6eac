import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'

export interface Column {
  readonly name: string
  /** As SQL names it: `timestamp(3) with time zone`, `"Role"`, `text[]`. */
  readonly type: string
  /** Part of the primary key. */
  readonly isKey: boolean
  /** Counted up by the database where nothing is said. */
  readonly isSerial: boolean
}

/** A table as the database itself describes it: what is added to the schema is in a backup without more ado. */
export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
}

/** Tables that no backup has. */
const LEFT_OUT = new Set([
  // Made by migrating.
  '_prisma_migrations',
  // Whoever is signed in signs in again.
  'Session',
  // Of processes that run.
  'RemovalPause',
  // Counted by a trigger as objects are inserted.
  'SiteStorage',
])

const columnRows = z.array(
  z.object({ table: z.string(), name: z.string(), type: z.string(), isKey: z.boolean(), isSerial: z.boolean() }),
)
const references = z.array(z.object({ from: z.string(), to: z.string() }))

/** The tables of a backup, each behind those that it refers to. */
export async function readCatalogue(tx: Pick<Transaction, '$queryRaw'>): Promise<readonly Table[]> {
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
  const kept = columns.filter(({ table }) => !LEFT_OUT.has(table))
  const tables = Object.entries(Object.groupBy(kept, ({ table }) => table)).map(([name, columns = []]) => ({
    name,
    columns: columns.map(({ table: _, ...column }) => column),
  }))
  return inOrder(tables, referring)
}

/** Each table behind those that it refers to. */
function inOrder(tables: readonly Table[], referring: z.infer<typeof references>): readonly Table[] {
  const ordered: Table[] = []
  let left = tables
  while (left.length > 0) {
    const names = new Set(left.map(({ name }) => name))
    const waits = ({ name }: Table) => referring.some(({ from, to }) => from === name && names.has(to))
    const ready = left.filter((table) => !waits(table))
    if (ready.length === 0) throw new Error(`Tables refer to one another in a circle: ${[...names].join(', ')}`)
    ordered.push(...ready)
    left = left.filter(waits)
  }
  return ordered
}

/** A name within SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
