import { z } from 'zod'
import { CannotStart } from '#server/cannot-start.ts'
import { migrationNames } from './migrate.ts'

/** What a database must be for whoever opens it: `any` but a newer one is migrated as servers do, `same` was migrated by this
 *  version, `same or none` may be empty besides. */
export type SchemaWanted = 'any' | 'same or none' | 'same'

/** The database is not of this version, and whoever opens it may not change that. */
export class OtherSchema extends CannotStart {
  override name = 'OtherSchema'
}

const tables = z.object({ rows: z.array(z.object({ exists: z.boolean() })) })
const applied = z.object({ rows: z.array(z.object({ name: z.string() })) })

/** Throws OtherSchema where the database is not as it is wanted. */
export async function refuseOtherSchema(wanted: SchemaWanted, query: (sql: string) => Promise<unknown>): Promise<void> {
  const names = await appliedMigrations(query)
  const own = await migrationNames()
  const isNewer = names.some((name) => !own.includes(name))
  if (wanted === 'any') {
    if (!isNewer) return
    throw new OtherSchema(
      'The database is of a newer version of Sluice, which knows what this one would do wrong: start that version, or restore a backup that this one has made into an empty place.',
    )
  }
  if (names.length === 0) {
    if (wanted === 'same or none') return
    throw new OtherSchema('There is no database of Sluice here yet. Are these the settings of the server?')
  }
  if (names.join() === own.join()) return
  throw new OtherSchema(
    isNewer
      ? 'The database is of a newer version of Sluice: use the command of that version.'
      : 'The database is of an older version of Sluice: start the server once, which brings it to this one, or use the command of that version.',
  )
}

async function appliedMigrations(query: (sql: string) => Promise<unknown>): Promise<readonly string[]> {
  const found = tables.parse(await query(`SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS "exists"`))
  if (!found.rows[0]?.exists) return []
  const { rows } = applied.parse(
    await query(
      'SELECT "migration_name" AS "name" FROM "_prisma_migrations" WHERE "finished_at" IS NOT NULL ORDER BY 1',
    ),
  )
  return rows.map(({ name }) => name)
}
