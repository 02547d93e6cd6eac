import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { filingProcedure } from '#server/trpc/init.ts'
import { findReadable } from './find-image.ts'
import { toItem } from './image-item.ts'
import { favourite } from './limits.ts'

const input = z.strictObject({ id: z.uuid(), favourite: z.boolean() })

/** Marks an image that the viewer may read as a favourite of theirs, or removes the mark. */
export const setFavourite = filingProcedure
  .meta({ limits: favourite, scope: 'manage', audit: { none: 'one’s own mark on an image' } })
  .input(input)
  .mutation(async ({ ctx, input: { id, favourite } }) => {
    const image = await findReadable(ctx.app.db, ctx.viewer, { id })
    await markImages(ctx.app.db, ctx.viewer.userId, [image.id], favourite)
    return toItem(image, ctx.viewer, ctx.app)
  })

/** Marks the images that still exist, or removes the marks. */
export async function markImages(
  db: PrismaClient,
  userId: string,
  ids: readonly string[],
  favourite: boolean,
): Promise<void> {
  if (favourite)
    await db.$executeRaw`
      INSERT INTO "Favourite" ("userId", "imageId")
      SELECT ${userId}::uuid, "id" FROM "Image" WHERE "id" = ANY(${ids}::uuid[]) ORDER BY "id" FOR KEY SHARE
      ON CONFLICT DO NOTHING`
  else await db.favourite.deleteMany({ where: { userId, imageId: { in: [...ids] } } })
}
