import { transact } from '#server/database/transact.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { linkHashOf } from './deletion-link.ts'
import { notFound } from './find-image.ts'
import { deletionLink } from './limits.ts'
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
        data: { trashedAt: new Date() },
        select: { id: true },
      })
      if (trashed.length > 0) await tx.deletionLink.deleteMany({ where: { linkHash } })
      return trashed
    })
    if (!image) throw notFound()
    ctx.app.images.changes.tell([image.id])
    return { trashed: true as const }
  })
