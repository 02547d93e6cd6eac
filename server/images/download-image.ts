import { z } from 'zod'
import { publicProcedure } from '#server/trpc/init.ts'
import { limitsFor } from '#server/trpc/limit.ts'
import { findReadable } from './find-image.ts'
import { imageUrl } from './image-url.ts'
import { downloadAgain, downloadLink } from './limits.ts'
import { toLinkHolder } from './links/download-link.ts'

// Lower case, because the limit counts the parsed ID: the database accepts any case, and each would have its own count.
const input = z.strictObject({ id: z.uuid().toLowerCase() })

/** Returns a link that downloads the original. It is valid for 15 minutes, as long as the session or token that created it is
 *  valid and may read the image. */
export const downloadImage = publicProcedure
  .meta({ ...limitsFor(input, [...downloadLink, ...downloadAgain]), scope: 'read' })
  .input(input)
  .query(async ({ ctx, input }) => {
    const image = await findReadable(ctx.app.db, ctx.viewer, input)
    const { token, expiresAt } = ctx.app.images.downloadLinks.seal(image.slug, toLinkHolder(ctx.viewer))
    const url = `${imageUrl(ctx.app.config.origin, image)}?download=${token}`
    return { url, expiresAt: expiresAt.toISOString() }
  })
