import { z } from 'zod'
import { thumbnailUrl } from '#server/images/image-url.ts'
import { cursorInput, encodeCursor } from '#server/trpc/cursor.ts'
import { adminProcedure } from '#server/trpc/init.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { guestView } from './limits.ts'

const input = z.strictObject({
  cursor: cursorInput(z.uuid()).optional(),
  limit: z.int().min(1).max(50).default(20),
})

/** Returns a page of the guests' images that wait for approval, the oldest first: `{ cursor?, limit? }`. Viewers of a shared account do not see
 *  the addresses that they came from. */
export const listPending = adminProcedure
  .meta({ limits: guestView })
  .input(input.prefault({}))
  .query(async ({ ctx, input: { cursor, limit } }) => {
    const { db, config } = ctx.app
    const after: Prisma.ImageWhereInput = cursor
      ? { OR: [{ createdAt: { gt: cursor.at } }, { createdAt: cursor.at, id: { gt: cursor.id } }] }
      : {}
    const rows = await db.image.findMany({
      where: { AND: [{ awaitsApproval: true, trashedAt: null }, after] },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      take: limit + 1,
      select: {
        ...{ id: true, slug: true, mime: true, width: true, height: true, size: true, title: true, createdAt: true },
        owner: { select: { guestUntil: true, guestAddress: true } },
      },
    })
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    return {
      items: page.map(({ createdAt, owner, mime, ...image }) => ({
        ...image,
        thumbnailUrl: thumbnailUrl(config.origin, { slug: image.slug, mime }),
        createdAt: createdAt.toISOString(),
        endsAt: owner.guestUntil?.toISOString() ?? null,
        address: ctx.viewer.shared ? null : owner.guestAddress,
      })),
      nextCursor: rows.length > page.length && last ? encodeCursor({ at: last.createdAt, id: last.id }) : null,
    }
  })
