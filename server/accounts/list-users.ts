import { z } from 'zod'
import { adminProcedure } from '#server/trpc/init.ts'
import { usernameKey } from './credentials.ts'
import { accountView } from './limits.ts'
import { toUserItem, userColumns } from './users.ts'

const input = z.strictObject({
  search: z.string().max(100).optional(),
  /** The last item's id. */
  cursor: z.uuid().optional(),
  limit: z.number().int().min(1).max(100).default(50),
})

/** Users by name, those whose name contains `search`. */
export const listUsers = adminProcedure
  .meta({ limits: accountView })
  .input(input)
  .query(async ({ ctx, input }) => {
    const { search, cursor, limit } = input
    const users = await ctx.app.db.user.findMany({
      where: search ? { usernameKey: { contains: usernameKey(search) } } : {},
      orderBy: { usernameKey: 'asc' },
      take: limit + 1,
      ...(cursor ? { cursor: { id: cursor }, skip: 1 } : {}),
      select: userColumns,
    })
    const items = users.slice(0, limit).map(toUserItem)
    return { items, nextCursor: users.length > limit ? (items.at(-1)?.id ?? null) : null }
  })
