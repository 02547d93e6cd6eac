import { z } from 'zod'
import { refuse } from '#server/errors/refuse.ts'
import { userProcedure } from '#server/trpc/init.ts'
import { orLastKnown } from '#server/trpc/last-answers.ts'
import { toItems } from './image-item.ts'
import { imageColumns } from './image-row.ts'
import { storageView, view } from './limits.ts'

const kinds = z.array(
  z.object({ mime: z.string(), trashed: z.boolean(), images: z.int(), bytes: z.bigint().transform(Number) }),
)

/** How many of the largest images are listed. */
const LARGEST = 5

/** Returns what the viewer's images use: by format, in the trash or not, and the largest of them. */
export const myStorage = userProcedure
  .meta({ limits: [...view, ...storageView], cheaperAnswer: 'the last known figures' })
  .query(
    orLastKnown(async ({ ctx }) => {
      const { db, images } = ctx.app
      const { userId: ownerId } = ctx.viewer
      const [rows, largest, room] = await Promise.all([
        db.$queryRaw`
      SELECT "mime", "trashedAt" IS NOT NULL AS "trashed", count(*)::int AS "images", sum("size") AS "bytes"
      FROM "Image" WHERE "ownerId" = ${ownerId}::uuid GROUP BY 1, 2 ORDER BY sum("size") DESC, 1, 2`,
        db.image.findMany({
          where: { ownerId, trashedAt: null },
          orderBy: [{ size: 'desc' }, { id: 'asc' }],
          take: LARGEST,
          select: imageColumns,
        }),
        images.readRoom(ownerId),
      ])
      if (!room) throw refuse('owner-gone')
      return { ...room, kinds: kinds.parse(rows), largest: await toItems(largest, ctx.viewer, ctx.app) }
    }),
  )
