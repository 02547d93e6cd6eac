import { z } from 'zod'
import { adminProcedure } from '#server/trpc/init.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import { accountView } from '../limits.ts'
import { encodePosition, matching, ordering, userFilter } from './user-filter.ts'
import { toUserItem, userColumns } from './users.ts'

const found = z.array(z.object({ id: z.string(), key: z.string() }))

/** Returns a page of the users that match, and how many do in all. */
export const listUsers = adminProcedure
  .meta({ limits: accountView })
  .input(userFilter)
  .query(async ({ ctx, input }) => {
    const { db, site } = ctx.app
    const isPersonal = !ctx.viewer.shared
    const facts = { isPersonal, siteQuota: site.read().quotaBytes }
    const where = matching(input, facts)
    const { key, order, after } = ordering(input, facts)
    const [rows, total] = await Promise.all([
      db.$queryRaw`
        SELECT "id"::text, ${key}::text AS "key" FROM "User"
        WHERE ${where} AND ${after ?? Prisma.sql`TRUE`} ORDER BY ${order} LIMIT ${input.limit + 1}`,
      db.$queryRaw`SELECT count(*)::int AS "total" FROM "User" WHERE ${where}`,
    ])
    const page = found.parse(rows)
    const shown = page.slice(0, input.limit)
    const users = await db.user.findMany({ where: { id: { in: shown.map(({ id }) => id) } }, select: userColumns })
    const byId = new Map(users.map((user) => [user.id, user]))
    const last = shown.at(-1)
    return {
      items: shown.flatMap(({ id }) => byId.get(id) ?? []).map((user) => toUserItem(user, isPersonal)),
      nextCursor: last && page.length > input.limit ? encodePosition([last.key, last.id]) : null,
      total: counted.parse(total)[0].total,
    }
  })

const counted = z.tuple([z.object({ total: z.int() })])
