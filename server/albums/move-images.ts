import { z } from 'zod'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { userProcedure } from '#server/trpc/init.ts'
import { limitsFor } from '#server/trpc/limit.ts'
import { changeAlbum } from './album-change.ts'
import { type AlbumImageItem, type AlbumImagesAnswer, someImages } from './album-images.ts'
import { lockEditable } from './find-album.ts'
import { albumImages } from './limits.ts'
import { ranksAt } from './places.ts'

const input = z.union([
  /** Right before another image of the album; null for its end. */
  someImages.extend({ before: z.uuid().toLowerCase().nullable() }),
  /** Right after another image; null for the album's beginning. */
  someImages.extend({ after: z.uuid().toLowerCase().nullable() }),
])

/**
 * Moves images of an album to a place in its own order, in the order of the call. Those that are no longer in the album are left
 * out. Moves of one album wait for each other, so that none is lost. Throws CONFLICT if the image that names the place is gone.
 */
export const moveImages = userProcedure
  .meta({ ...limitsFor(input, albumImages), scope: 'manage', audit: 'album.move' })
  .input(input)
  .mutation(({ ctx, input }): Promise<AlbumImagesAnswer> => {
    const { id, images } = input
    return transact(ctx.app.db, async (tx) => {
      const album = await lockEditable(tx, ctx.viewer, id)
      const rows = await tx.albumImage.findMany({
        where: { albumId: id, imageId: { in: images } },
        select: { imageId: true },
      })
      const present = new Set(rows.map(({ imageId }) => imageId))
      const moved = images.filter((image) => present.has(image))
      const ranks = await ranksAt(tx, id, input, { count: moved.length, moved })
      if (!ranks) throw refuse('album-changed')
      if (moved.length > 0) {
        await tx.$executeRaw`
          UPDATE "AlbumImage" SET "rank" = "new"."rank"
          FROM unnest(${moved}::uuid[], ${ranks}::text[]) AS "new" ("id", "rank")
          WHERE "albumId" = ${id}::uuid AND "imageId" = "new"."id"`
        await changeAlbum(tx, ctx, album, { act: 'move', data: {}, images: moved })
      }
      return {
        items: images.map((image): AlbumImageItem => {
          if (!present.has(image)) return { id: image, outcome: 'not-found' }
          return { id: image, outcome: 'done', changed: true, rank: null }
        }),
      }
    })
  })
