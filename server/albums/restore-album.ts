import { z } from 'zod'
import { transact } from '#server/database/transact.ts'
import { userProcedure } from '#server/trpc/init.ts'
import { mayEdit } from './access.ts'
import { changeAlbum } from './album-change.ts'
import { toItem } from './album-item.ts'
import { requireAlbumRoom } from './album-room.ts'
import { albumColumns } from './album-row.ts'
import { lockAlbum, notFound } from './find-album.ts'
import { albumEdit } from './limits.ts'

const input = z.strictObject({ id: z.uuid() })

/** Undoes the deletion of an album. Does nothing to one that is not deleted. */
export const restoreAlbum = userProcedure
  .meta({ limits: albumEdit, scope: 'manage', audit: 'album.restore' })
  .input(input)
  .mutation(async ({ ctx, input: { id } }) => {
    const restored = await transact(ctx.app.db, async (tx) => {
      await lockAlbum(tx, id)
      const album = await tx.album.findUnique({ where: { id }, select: albumColumns })
      if (!album || !mayEdit(ctx.viewer, album)) throw notFound()
      if (!album.deletedAt) return album
      await requireAlbumRoom(tx, album.ownerId)
      return changeAlbum(tx, ctx, album, { act: 'restore', data: { deletedAt: null } })
    })
    return toItem(restored, ctx.viewer, ctx.app)
  })
