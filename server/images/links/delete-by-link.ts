import { NOBODY, toActor, writeAudit } from '#server/audit/audit.ts'
import { readDatabaseTime } from '#server/database/database-time.ts'
import { transact } from '#server/database/transact.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { isOwn } from '../access.ts'
import { auditedState } from '../audit-images.ts'
import { notFound } from '../find-image.ts'
import { updateImages } from '../image-rows.ts'
import { deletionLink, wrongDeletionLinks } from '../limits.ts'
import { purgeTime } from '../maintenance/trash-purge.ts'
import { hashLink } from './deletion-link.ts'
import { linkInput } from './show-by-link.ts'

/** Whoever has the link. */
const GUEST = { userId: NOBODY, username: '' }

/**
 * Moves an image to the trash by its deletion link, and deletes the link, so that it cannot delete the image again after its
 * owner has restored it.
 */
export const deleteByLink = publicProcedure
  .meta({ limits: deletionLink, audit: 'image.deleteByLink' })
  .input(linkInput)
  .mutation(async ({ ctx, input }) => {
    const linkHash = hashLink(input.link)
    const { image, isFinal } = await transact(ctx.app.db, async (tx) => {
      const where = { trashedAt: null, deletionLinks: { some: { linkHash } } }
      const [image] = await updateImages(tx, where, { trashedAt: await readDatabaseTime(tx) })
      if (!image) return { image: null, isFinal: false }
      await tx.deletionLink.deleteMany({ where: { linkHash } })
      // Nobody could restore a guest's image: it ends at once, with the guest's account.
      const { count: guests } = await tx.user.updateMany({
        where: { id: image.ownerId, guestUntil: { not: null } },
        data: { guestUntil: image.trashedAt },
      })
      await writeAudit(tx, toActor({ ...ctx, viewer: ctx.viewer ?? GUEST }), {
        action: 'image.deleteByLink',
        target: `image/${image.id}`,
        account: image.owner,
        before: auditedState({ ...image, trashedAt: null }),
        after: auditedState(image),
      })
      return { image, isFinal: guests > 0 }
    })
    if (!image) {
      await ctx.charge(wrongDeletionLinks)
      throw notFound()
    }
    return {
      /** ISO 8601: when maintenance will purge it; null if it will not. */
      purgeAt: purgeTime(image.trashedAt, ctx.app.site.read().trashDays)?.toISOString() ?? null,
      /** It was a guest's, which nobody can restore. */
      isFinal,
      /** The image's ID for its owner, who may restore it; null for everyone else. */
      ownId: isOwn(ctx.viewer, image) ? image.id : null,
    }
  })
