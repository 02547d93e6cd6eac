import { z } from 'zod'
import { MAX_IMAGES } from '#server/images/bulk/ids.ts'
import { bulk } from '#server/images/bulk/limits.ts'
import { notFound } from '#server/images/find-image.ts'
import { toLinkHolder } from '#server/images/links/download-link.ts'
import { fitInZip, refuseIfLimited } from '#server/images/zip/refuse-if-limited.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { albumCursor, listInOrder } from './album-order.ts'
import { findReadable } from './find-album.ts'

const input = z.strictObject({
  id: z.uuid(),
  /** `next` of the part before; none for the first. */
  after: albumCursor.optional(),
  /** The most images. */
  limit: z.int().min(1).max(MAX_IMAGES).default(MAX_IMAGES),
})

/**
 * Returns a link that downloads the images of an album that the viewer may see as one zip, or a part of them: at most a hundred,
 * in the album's order. The link is made and charged as that of `image.downloadMany` is; a guest's is as good as the time it lasts.
 */
export const zipAlbum = publicProcedure
  .meta({ limits: [bulk], scope: 'read', audit: { none: 'it changes nothing' } })
  .input(input)
  .mutation(async ({ ctx, input }) => {
    const { db, images, config } = ctx.app
    const album = await findReadable(db, ctx.viewer, { id: input.id })
    const holder = toLinkHolder(ctx.viewer)
    const limit = await fitInZip(ctx, input.limit)
    const page = await listInOrder(db, album, ctx.viewer, { cursor: input.after, limit })
    if (page.images.length === 0) throw notFound()
    await refuseIfLimited(ctx, page.images.length)
    const { link, expiresAt } = images.zipLinks.seal({ holder, ids: page.images.map(({ id }) => id) })
    return {
      url: `${config.origin}/api/zip?link=${link}`,
      expiresAt: expiresAt.toISOString(),
      images: page.images.length,
      bytes: page.images.reduce((sum, { size }) => sum + size, 0),
      /** For the next part; null after the last. */
      next: page.nextCursor,
    }
  })
