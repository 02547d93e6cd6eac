import { z } from 'zod'
import { publicProcedure } from '#server/trpc/init.ts'
import { limitsFor } from '#server/trpc/limit.ts'
import { findReadable } from './find-image.ts'
import { imageUrl } from './image-url.ts'
import { download, downloadAgain } from './limits.ts'
import { holderOf } from './links/download-link.ts'

// Counted as it is parsed: the database knows an id by any case, and its letters would be as many counts.
const input = z.strictObject({ id: z.uuid().toLowerCase() })

/** A link that saves the original for a quarter of an hour, as long as its holder's session or token lives and may read the image. */
export const downloadImage = publicProcedure
  .meta({ ...limitsFor(input, [...download, ...downloadAgain]), scope: 'read' })
  .input(input)
  .query(async ({ ctx, input }) => {
    const image = await findReadable(ctx.app.db, ctx.viewer, input)
    const { token, expiresAt } = ctx.app.images.downloadLinks.seal(image.slug, holderOf(ctx.viewer))
    const url = `${imageUrl(ctx.app.config.origin, image)}?download=${token}`
    return { url, expiresAt: expiresAt.toISOString() }
  })
