import { z } from 'zod'
import { transact } from '#server/database/transact.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { tagEdit } from './limits.ts'
import { lockTag, ownTag, tagId } from './lock-tag.ts'

/** As many images as a client can give a tag back to at once, within the limit of `tag.add`. */
const UNDOABLE = 200

/** Deletes a tag, and no image. Returns the images that had it, for an undo; null if there were too many for one. */
export const deleteTag = personalProcedure
  .meta({ limits: tagEdit, scope: 'manage', audit: { none: 'tags file images and change nobody’s access' } })
  .input(z.union([tagId, ownTag]))
  .mutation(({ ctx, input }) =>
    transact(ctx.app.db, async (tx) => {
      const { id, name } = await lockTag(tx, ctx.viewer, input)
      const select = { imageId: true } as const
      const had = await tx.imageTag.findMany({ where: { tagId: id }, select, take: UNDOABLE + 1 })
      await tx.tag.delete({ where: { id }, select: { id: true } })
      return { id, name, images: had.length > UNDOABLE ? null : had.map(({ imageId }) => imageId) }
    }),
  )
