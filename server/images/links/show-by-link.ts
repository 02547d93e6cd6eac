import { z } from 'zod'
import { publicProcedure } from '#server/trpc/init.ts'
import { mayRead } from '../access.ts'
import { notFound } from '../find-image.ts'
import { imageColumns } from '../image-row.ts'
import { thumbnailUrl } from '../image-url.ts'
import { deletionLink } from '../limits.ts'
import { linkHashOf } from './deletion-link.ts'

/** A link as it stands in an address: one that cannot be any is looked up like one that is none. */
export const linkInput = z.strictObject({ link: z.string().max(200) })

/** What a deletion link would delete, for whoever has it; the picture itself only for whom may read it. Changes nothing. */
export const showByLink = publicProcedure
  .meta({ limits: deletionLink })
  .input(linkInput)
  .query(async ({ ctx, input }) => {
    const { db, config } = ctx.app
    const found = await db.deletionLink.findUnique({
      where: { linkHash: linkHashOf(input.link) },
      select: { image: { select: imageColumns } },
    })
    if (!found || found.image.trashedAt) throw notFound()
    const { image } = found
    const isReadable = mayRead(ctx.viewer, image)
    return {
      thumbnailUrl: isReadable ? thumbnailUrl(config.origin, image) : null,
      title: isReadable ? image.title : null,
      width: image.width,
      height: image.height,
      /** Days that it will lie in the trash; 0 for ever. */
      trashDays: config.trashDays,
    }
  })
