import { z } from 'zod'
import { adminProcedure } from '#server/trpc/init.ts'
import { usernameKey } from '../credentials.ts'
import { accountView } from '../limits.ts'
import { toUserItem, userColumns } from './users.ts'

const userNamePart = z
  .string()
  .max(100)
  .regex(/^[^\0]*$/)

const input = z.strictObject({
  search: userNamePart.optional(),
  /** The last item's user name. */
  cursor: userNamePart.optional(),
  limit: z.number().int().min(1).max(100).default(50),
})

/** Returns the users whose name contains `search`, by name. */
export const listUsers = adminProcedure
  .meta({ limits: accountView })
  .input(input)
  .query(async ({ ctx, input }) => {
    const { search, cursor, limit } = input
    const users = await ctx.app.db.user.findMany({
      where: {
        usernameKey: {
          ...(search && { contains: usernameKey(search).replaceAll(/[\\%_]/g, '\\$&') }),
          ...(cursor && { gt: usernameKey(cursor) }),
        },
      },
      orderBy: { usernameKey: 'asc' },
      take: limit + 1,
      select: userColumns,
    })
    const items = users.slice(0, limit).map(toUserItem)
    return { items, nextCursor: users.length > limit ? (items.at(-1)?.username ?? null) : null }
  })
