import { timeOf } from '#server/database/time-of.ts'
import { transact } from '#server/database/transact.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { isOwn } from '../access.ts'
import { notFound } from '../find-image.ts'
import { deletionLink } from '../limits.ts'
import { purgeTime } from '../maintenance/trash-purge.ts'
import { linkHashOf } from './deletion-link.ts'
import { linkInput } from './show-by-link.ts'

/**
 * Moves an image to the trash for whoever has its deletion link, which is used up by that: whoever sends it again finds
 * nothing, and the image that its owner has restored stays.
 */
export const deleteByLink = publicProcedure
  .meta({ limits: deletionLink })
  .input(linkInput)
  .mutation(async ({ ctx, input }) => {
    const linkHash = linkHashOf(input.link)
    const [image] = await transact(ctx.app.db, async (tx) => {
      const trashed = await tx.image.updateManyAndReturn({
        where: { trashedAt: null, deletionLinks: { some: { linkHash } } },
        data: { trashedAt: await timeOf(tx) },
        select: { id: true, ownerId: true, visibility: true, trashedAt: true },
      })
      if (trashed.length > 0) await tx.deletionLink.deleteMany({ where: { linkHash } })
      return trashed
    })
    if (!image) throw notFound()
    ctx.app.images.changes.tell([image.id])
    return {
      /** ISO 8601: when it is purged; null when nothing purges it by itself. */
      purgeAt: purgeTime(image.trashedAt, ctx.app.config.trashDays)?.toISOString() ?? null,
      /** The image, to its owner, who may restore it; null to all others. */
      ownId: isOwn(ctx.viewer, image) ? image.id : null,
    }
  })
