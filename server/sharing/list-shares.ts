import { z } from 'zod'
import { isSuperadmin, type Viewer } from '#server/accounts/viewer.ts'
import { refuse } from '#server/errors/refuse.ts'
import { cursorInput, encodeCursor } from '#server/trpc/cursor.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { shareView } from './limits.ts'
import { countListed, type ListedShare, listedColumns, toListed } from './listed-share.ts'
import { today } from './use/day-of-use.ts'

const input = z.strictObject({
  cursor: cursorInput(z.uuid()).optional(),
  limit: z.int().min(1).max(100).default(30),
  /** `all` is for superadmins. */
  scope: z.enum(['mine', 'all']).default('mine'),
})

/** Returns a page of the viewer's shares, newest first, ended ones included. */
export const listShares = personalProcedure
  .meta({ limits: shareView, scope: 'read' })
  .input(input.prefault({}))
  .query(async ({ ctx, input }): Promise<{ items: readonly ListedShare[]; nextCursor: string | null }> => {
    const { db } = ctx.app
    const { cursor, limit } = input
    const ownerId = input.scope === 'mine' ? ctx.viewer.userId : null
    const after: Prisma.ShareWhereInput = cursor
      ? { OR: [{ createdAt: { lt: cursor.at } }, { createdAt: cursor.at, id: { lt: cursor.id } }] }
      : {}
    const rows = await db.share.findMany({
      where: { AND: [inScope(ctx.viewer, input.scope), after] },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: limit + 1,
      select: listedColumns(ownerId, today()),
    })
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    const counts = await countListed(db, page, ownerId)
    return {
      items: page.map((row) => toListed(ctx.app, ctx.viewer, row, counts.get(row.id) ?? 0)),
      nextCursor: rows.length > page.length && last ? encodeCursor({ at: last.createdAt, id: last.id }) : null,
    }
  })

function inScope(viewer: Viewer, scope: 'mine' | 'all'): Prisma.ShareWhereInput {
  if (scope === 'mine') return { ownerId: viewer.userId }
  if (!isSuperadmin(viewer)) throw refuse('not-superadmin')
  return {}
}
