import { Prisma } from '../../generated/prisma/client.ts'
import type { PrismaClient } from './database.ts'

/** Of few rows each: all are looked at. */
type Table = 'AccessRule' | 'HotlinkRule' | 'LimitOverride'

/** Answers what differs after each change of these tables, at one query. Null where nobody need ask: an embedded database is
 *  this process's alone, and over Redis the processes tell one another. */
export function versionToFollow(
  db: Pick<PrismaClient, '$queryRaw'>,
  { databaseUrl, redisUrl }: { readonly databaseUrl: string | null; readonly redisUrl: string | null },
  tables: readonly Table[],
): (() => Promise<string>) | null {
  if (databaseUrl === null || redisUrl !== null) return null
  // Each writing gives a row the number of its transaction. The audit's numbers would not do: they are not in the order of
  // the commits.
  const each = tables.map((table) => Prisma.sql`SELECT xmin::text AS "writer" FROM ${Prisma.raw(`"${table}"`)}`)
  const writers = Prisma.join(each, ' UNION ALL ')
  const query = Prisma.sql`
    SELECT md5(coalesce(string_agg("writer", ' ' ORDER BY "writer"), '')) AS "version" FROM (${writers}) AS "rows"`
  return async () => {
    const [row] = await db.$queryRaw<{ version: string }[]>(query)
    if (!row) throw new Error('an aggregate answered no row')
    return row.version
  }
}
