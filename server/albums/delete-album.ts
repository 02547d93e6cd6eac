import { z } from 'zod'
import { readDatabaseTime } from '#server/database/database-time.ts'
import { transact } from '#server/database/transact.ts'
import { userProcedure } from '#server/trpc/init.ts'
import { changeAlbum } from './album-change.ts'
import { lockEditable } from './find-album.ts'
import { albumEdit } from './limits.ts'

const input = z.strictObject({ id: z.uuid() })

/** Deletes an album and none of its images. It can be restored for a day. */
export const deleteAlbum = userProcedure
  .meta({ limits: albumEdit, scope: 'manage', audit: 'album.delete' })
  .input(input)
  .mutation(async ({ ctx, input: { id } }): Promise<{ id: string }> => {
    await transact(ctx.app.db, async (tx) => {
      const album = await lockEditable(tx, ctx.viewer, id)
      await changeAlbum(tx, ctx, album, { act: 'delete', data: { deletedAt: await readDatabaseTime(tx) } })
    })
    return { id }
  })
