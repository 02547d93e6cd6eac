import { z } from 'zod'
import { transact } from '#server/database/transact.ts'
import { userProcedure } from '#server/trpc/init.ts'
import { limitsFor } from '#server/trpc/limit.ts'
import { changeAlbum } from './album-change.ts'
import { type AlbumImageItem, type AlbumImagesAnswer, someImages } from './album-images.ts'
import { lockEditable } from './find-album.ts'
import { albumImages } from './limits.ts'

const removedRows = z.array(z.object({ id: z.string(), rank: z.string() }))

/** Removes images from an album. The images stay. */
export const removeImages = userProcedure
  .meta({ ...limitsFor(someImages, albumImages), scope: 'manage', audit: 'album.remove' })
  .input(someImages)
  .mutation(({ ctx, input: { id, images } }): Promise<AlbumImagesAnswer> => {
    return transact(ctx.app.db, async (tx) => {
      const album = await lockEditable(tx, ctx.viewer, id)
      const rows = await tx.$queryRaw`
        DELETE FROM "AlbumImage" WHERE "albumId" = ${id}::uuid AND "imageId" = ANY (${images}::uuid[])
        RETURNING "imageId"::text AS "id", "rank"`
      const ranks = new Map(removedRows.parse(rows).map((row) => [row.id, row.rank]))
      const isCoverGone = album.coverId !== null && ranks.has(album.coverId)
      const data = isCoverGone ? { coverId: null } : {}
      if (ranks.size > 0) await changeAlbum(tx, ctx, album, { act: 'remove', data, images: [...ranks.keys()] })
      return {
        items: images.map((image): AlbumImageItem => {
          const rank = ranks.get(image)
          return rank === undefined
            ? { id: image, outcome: 'not-found' }
            : { id: image, outcome: 'done', changed: true, rank }
        }),
      }
    })
  })
