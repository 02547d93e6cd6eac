import { z } from 'zod'
import { transact } from '#server/database/transact.ts'
import { newSlug } from '#server/images/slug.ts'
import { filingProcedure } from '#server/trpc/init.ts'
import { reportAlbum } from './album-change.ts'
import { toItem } from './album-item.ts'
import { requireAlbumRoom } from './album-room.ts'
import { albumColumns } from './album-row.ts'
import { albumDescription, albumTitle, albumVisibility } from './album-text.ts'
import { albumCreate } from './limits.ts'

const input = z.strictObject({
  title: albumTitle,
  description: albumDescription.default(''),
  visibility: albumVisibility.default('private'),
})

/** Creates an album of the viewer's, which is private unless they say otherwise. */
export const createAlbum = filingProcedure
  .meta({ limits: albumCreate, scope: 'manage', audit: { none: 'it adds to the own albums' } })
  .input(input)
  .mutation(async ({ ctx, input }) => {
    const data = { ...input, ownerId: ctx.viewer.userId, slug: newSlug() }
    const album = await transact(ctx.app.db, async (tx) => {
      await requireAlbumRoom(tx, data.ownerId)
      const created = await tx.album.create({ data, select: albumColumns })
      await reportAlbum(tx, ctx, created, { act: 'create' })
      return created
    })
    return toItem(album, ctx.viewer, ctx.app)
  })
