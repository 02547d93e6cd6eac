import { z } from 'zod'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { newSlug } from '#server/images/slug.ts'
import { userProcedure } from '#server/trpc/init.ts'
import { mayKeepAlbums } from './access.ts'
import { reportAlbum } from './album-change.ts'
import { toItem } from './album-item.ts'
import { albumColumns } from './album-row.ts'
import { albumDescription, albumTitle, albumVisibility } from './album-text.ts'
import { albumCreate } from './limits.ts'

const input = z.strictObject({
  title: albumTitle,
  description: albumDescription.default(''),
  visibility: albumVisibility.default('private'),
})

/** Creates an album of the viewer's, which is private unless they say otherwise. */
export const createAlbum = userProcedure
  .meta({ limits: albumCreate, scope: 'manage', audit: { none: 'it adds to the own albums' } })
  .input(input)
  .mutation(async ({ ctx, input }) => {
    if (!mayKeepAlbums(ctx.viewer)) throw refuse('shared-account')
    const data = { ...input, ownerId: ctx.viewer.userId, slug: newSlug() }
    const album = await transact(ctx.app.db, async (tx) => {
      const created = await tx.album.create({ data, select: albumColumns })
      await reportAlbum(tx, ctx, created, { act: 'create' })
      return created
    })
    return toItem(album, ctx.viewer, ctx.app)
  })
