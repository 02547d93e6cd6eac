import { z } from 'zod'
import { publicProcedure } from '#server/trpc/init.ts'
import { mayRead } from '../access.ts'
import { notFound } from '../find-image.ts'
import { imageColumns } from '../image-row.ts'
import { thumbnailUrl } from '../image-url.ts'
import { deletionLink, wrongDeletionLinks } from '../limits.ts'
import { hashLink } from './deletion-link.ts'

/** Malformed links are accepted, so that they are answered like unknown ones. */
export const linkInput = z.strictObject({ link: z.string().max(200) })

/** Returns what a deletion link would delete, with thumbnail and title only for a viewer who may read the image. */
export const showByLink = publicProcedure
  .meta({ limits: deletionLink })
  .input(linkInput)
  .query(async ({ ctx, input }) => {
    const { db, config, site } = ctx.app
    const found = await db.deletionLink.findUnique({
      where: { linkHash: hashLink(input.link) },
      select: {
        image: { select: { ...imageColumns, owner: { select: { ...imageColumns.owner.select, guestUntil: true } } } },
      },
    })
    if (!found || found.image.trashedAt) {
      await ctx.charge(wrongDeletionLinks)
      throw notFound()
    }
    const { image } = found
    const isReadable = mayRead(ctx.viewer, image)
    return {
      thumbnailUrl: isReadable ? thumbnailUrl(config.origin, image) : null,
      title: isReadable ? image.title : null,
      width: image.width,
      height: image.height,
      /** Days until an image in the trash is purged; 0 for never. */
      trashDays: site.read().trashDays,
      /** A guest's image, which nobody can restore. */
      isFinal: image.owner.guestUntil !== null,
    }
  })
