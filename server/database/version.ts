import { Prisma } from '../../generated/prisma/client.ts'
import type { PrismaClient } from './database.ts'

/** Tables with few rows, all of which are read. */
type Table = 'AccessRule' | 'HotlinkRule' | 'LimitOverride' | 'SiteSettings'

/** Returns a function that reads a version of these tables, in one query. It differs after each change. Null if polling is not
 *  needed: an embedded database belongs to one process, and over Redis processes notify each other. */
export function versionToFollow(
  db: Pick<PrismaClient, '$queryRaw'>,
  { databaseUrl, redisUrl }: { readonly databaseUrl: string | null; readonly redisUrl: string | null },
  tables: readonly Table[],
): (() => Promise<string>) | null {
  if (databaseUrl === null || redisUrl !== null) return null
  // A write sets a row's xmin to the number of its transaction. The ids of audit entries would not do: they are not in commit
  // order.
  const each = tables.map((table) => Prisma.sql`SELECT xmin::text AS "writer" FROM ${Prisma.raw(`"${table}"`)}`)
  const writers = Prisma.join(each, ' UNION ALL ')
  const query = Prisma.sql`
    SELECT md5(coalesce(string_agg("writer", ' ' ORDER BY "writer"), '')) AS "version" FROM (${writers}) AS "rows"`
  return async () => {
    const [row] = await db.$queryRaw<{ version: string }[]>(query)
    if (!row) throw new Error('an aggregate returned no row')
    return row.version
  }
}
