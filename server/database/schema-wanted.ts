import { z } from 'zod'
import { CannotStart } from '#server/cannot-start.ts'
import { migrationNames } from './migrate.ts'

/** The schema that a program requires. `any` is migrated, as servers do, or used as it is if a newer version allows that; `same`
 *  must have been migrated by this version; `same-or-none` may also be empty. */
export type SchemaWanted = 'any' | 'same-or-none' | 'same'

/** The database is of another version, and the program may not migrate it. */
export class OtherSchema extends CannotStart {
  override name = 'OtherSchema'
}

export const noDatabase = (): OtherSchema =>
  new OtherSchema('There is no database of Sluice here yet. Are these the settings of the server?')

const exists = z.tuple([z.object({ exists: z.boolean() })])
const applied = z.object({ rows: z.array(z.object({ name: z.string() })) })
const readable = z.tuple([z.object({ name: z.string() })])

type Query = (sql: string) => Promise<{ readonly rows: readonly unknown[] }>

/**
 * Returns whether migrations are to be applied; a database of a newer version is left as it is. Throws OtherSchema if the database
 * does not have the wanted schema. `own` are the migrations of this version.
 */
export async function checkSchema(wanted: SchemaWanted, query: Query, own?: readonly string[]): Promise<boolean> {
  const names = await appliedMigrations(query)
  const known = own ?? (await migrationNames())
  // Starting Prisma's engine to find nothing to do would be a good part of the CPU of a start.
  if (names.join() === known.join()) return false
  const isNewer = names.some((name) => !known.includes(name))
  if (wanted === 'any') {
    if (isNewer) await refuseUnreadable(query, { names, known })
    return !isNewer
  }
  if (names.length === 0) {
    if (wanted === 'same-or-none') return true
    throw noDatabase()
  }
  throw new OtherSchema(
    isNewer
      ? 'The database belongs to a newer version of Sluice: use the command of that version.'
      : 'The database is of an older version of Sluice: start the server once, which brings it to this one, or use the command of that version.',
  )
}

/** A newer version records the migration that a version must have to use the database. That is meaningful only to a version
 *  whose own migrations have all been applied to the database. */
async function refuseUnreadable(
  query: Query,
  { names, known }: { readonly names: readonly string[]; readonly known: readonly string[] },
): Promise<void> {
  const from = await readableFrom(query)
  const isOfOwnLine = known.every((name) => names.includes(name))
  if (isOfOwnLine && from !== null && known.includes(from)) return
  const needed = isOfOwnLine && from !== null ? `, and needs one that has the migration ${from}` : ''
  throw new OtherSchema(
    `The database belongs to a newer version of Sluice${needed}: start that version, or restore a backup of this version into an empty database.`,
  )
}

async function readableFrom(query: Query): Promise<string | null> {
  if (!(await isThere(query, `to_regprocedure('readable_from()')`))) return null
  const [{ name }] = readable.parse((await query('SELECT "readable_from"() AS "name"')).rows)
  return name
}

async function appliedMigrations(query: Query): Promise<readonly string[]> {
  if (!(await isThere(query, `to_regclass('"_prisma_migrations"')`))) return []
  const { rows } = applied.parse(
    await query(
      'SELECT "migration_name" AS "name" FROM "_prisma_migrations" WHERE "finished_at" IS NOT NULL ORDER BY 1',
    ),
  )
  return rows.map(({ name }) => name)
}

async function isThere(query: Query, found: string): Promise<boolean> {
  const { rows } = await query(`SELECT ${found} IS NOT NULL AS "exists"`)
  return exists.parse(rows)[0].exists
}
