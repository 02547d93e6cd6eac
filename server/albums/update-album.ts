import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { UserContext } from '#server/images/bulk/user-context.ts'
import { moderation } from '#server/images/limits.ts'
import { visibilityChange } from '#server/images/visibility.ts'
import { userProcedure } from '#server/trpc/init.ts'
import { mayEdit, mayHide } from './access.ts'
import { changeAlbum } from './album-change.ts'
import { toItem } from './album-item.ts'
import type { AlbumRow } from './album-row.ts'
import { albumDescription, albumOrder, albumTitle, albumVisibility } from './album-text.ts'
import { findReadable, lockAlbum, notFound } from './find-album.ts'
import { albumEdit } from './limits.ts'

const input = z.strictObject({
  id: z.uuid(),
  title: albumTitle.optional(),
  /** The title that the client is replacing. If it has changed in the meantime, the call fails with CONFLICT. */
  seenTitle: z.string().max(2_000).optional(),
  description: albumDescription.optional(),
  visibility: albumVisibility.optional(),
  /** One of the album's images; null for the first. */
  coverId: z.uuid().nullable().optional(),
  order: albumOrder.optional(),
})

type Asked = z.output<typeof input>

/** Changes an album. An admin may make another user's public album private, and nothing else. */
export const updateAlbum = userProcedure
  .meta({ limits: albumEdit, scope: 'manage', audit: 'album.update' })
  .input(input)
  .mutation(async ({ ctx, input }) => {
    const { db } = ctx.app
    const { id } = input
    const found = await findReadable(db, ctx.viewer, { id })
    const isModeration = !mayEdit(ctx.viewer, found)
    if (isModeration) await chargeHiding(ctx, found, input)
    const changed = await transact(db, async (tx) => {
      await lockAlbum(tx, id)
      const album = await findReadable(tx, ctx.viewer, { id })
      // An admin must not reach an album that its owner has made an unlisted one in the meantime.
      if (isModeration && !mayHide(ctx.viewer, album)) throw notFound()
      return changeAlbum(tx, ctx, album, { act: 'update', data: await toColumns(tx, album, input) })
    })
    return toItem(changed, ctx.viewer, ctx.app)
  })

/** Throws unless the call only hides another user's public album. It is charged as the moderation of an image is. */
async function chargeHiding(ctx: UserContext, album: AlbumRow, { id: _, ...asked }: Asked): Promise<void> {
  const isHiding = asked.visibility === 'private' && Object.keys(asked).length === 1
  if (!isHiding || !mayHide(ctx.viewer, album)) throw refuse('album-not-yours')
  await ctx.charge(moderation)
}

async function toColumns(tx: Transaction, album: AlbumRow, asked: Asked) {
  const { id, title, seenTitle, visibility, coverId, ...others } = asked
  const isConflict = title !== undefined && seenTitle !== undefined && album.title !== seenTitle
  // A client that repeats its call after a lost answer is in no conflict with itself.
  if (isConflict && album.title !== title) throw refuse('title-changed')
  if (coverId) {
    const where = { albumId_imageId: { albumId: id, imageId: coverId } }
    if (!(await tx.albumImage.findUnique({ where, select: { rank: true } }))) throw refuse('image-not-found')
  }
  return {
    ...others,
    ...(title !== undefined && { title }),
    ...(coverId !== undefined && { coverId }),
    ...(visibility !== undefined && visibilityChange(album, visibility)),
  }
}
