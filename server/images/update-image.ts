import { z } from 'zod'
import { userProcedure } from '#server/trpc/init.ts'
import { findEditable, notFound } from './find-image.ts'
import { toItem } from './image-item.ts'
import { type ImageRow, imageColumns } from './image-row.ts'
import { edit } from './limits.ts'
import { cleanText, MAX_NAME, titleOf } from './names.ts'
import { visibilityChange } from './visibility.ts'

const input = z.strictObject({
  id: z.uuid(),
  /** Empty: the file's name again. */
  title: z.string().max(2_000).transform(cleanText).pipe(z.string().max(MAX_NAME)).optional(),
  visibility: z.enum(['private', 'link', 'public']).optional(),
})

/** Changes a title or who may see an image. */
export const updateImage = userProcedure
  .meta({ limits: edit, scope: 'manage' })
  .input(input)
  .mutation(async ({ ctx, input }) => {
    const image = await findEditable(ctx.app.db, ctx.viewer, input.id)
    const [changed] = await ctx.app.db.image.updateManyAndReturn({
      where: { id: image.id },
      data: changesOf(image, input),
      select: imageColumns,
    })
    if (!changed) throw notFound()
    ctx.app.images.changes.tell([image.id])
    return toItem(changed, ctx.viewer, ctx.app.config)
  })

function changesOf(image: ImageRow, { title, visibility }: z.output<typeof input>) {
  return {
    ...(title === undefined ? {} : { title: title || titleOf(image.filename) }),
    ...(visibility === undefined ? {} : visibilityChange(image, visibility)),
  }
}
