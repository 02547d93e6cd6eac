import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import type { Viewer } from '#server/accounts/viewer.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { userProcedure } from '#server/trpc/init.ts'
import { findEditable } from './find-image.ts'
import { toItem } from './image-item.ts'
import { type ImageRow, imageColumns } from './image-row.ts'
import { edit } from './limits.ts'
import { cleanText, MAX_NAME, titleOf } from './names.ts'
import { visibilityChange } from './visibility.ts'

const input = z.strictObject({
  id: z.uuid(),
  /** Empty: the file's name again. */
  title: z.string().max(2_000).transform(cleanText).pipe(z.string().max(MAX_NAME)).optional(),
  /** The title that was seen when the new one was written. Where another stands by now, the call ends in CONFLICT. */
  seenTitle: z.string().max(2_000).optional(),
  visibility: z.enum(['private', 'link', 'public']).optional(),
})

/** Changes a title or who may see an image. */
export const updateImage = userProcedure
  .meta({ limits: edit, scope: 'manage' })
  .input(input)
  .mutation(async ({ ctx, input }) => {
    const { db, images, config } = ctx.app
    const changed = await change(db, ctx.viewer, input)
    images.changes.tell([changed.id])
    return toItem(changed, ctx.viewer, config)
  })

/** Whether the address changes depends on who may see the image now, and whether a title may be replaced on what it is: where
 *  these have changed since, the image is looked at anew. */
async function change(db: PrismaClient, viewer: Viewer, asked: z.output<typeof input>): Promise<ImageRow> {
  for (;;) {
    const image = await findEditable(db, viewer, asked.id)
    const data = changesOf(image, asked)
    if (isOvertaken(image.title, data.title, asked.seenTitle)) throw overtaken()
    const [changed] = await db.image.updateManyAndReturn({
      where: { id: image.id, visibility: image.visibility, title: image.title },
      data,
      select: imageColumns,
    })
    if (changed) return changed
  }
}

/** What stands already is no conflict: the first answer to this call may have been lost. */
const isOvertaken = (now: string, wanted: string | undefined, seen: string | undefined): boolean =>
  wanted !== undefined && seen !== undefined && now !== seen && now !== wanted

const overtaken = () =>
  new TRPCError({ code: 'CONFLICT', message: 'The title was changed meanwhile. Look at it, then change it again.' })

function changesOf(image: ImageRow, { title, visibility }: z.output<typeof input>) {
  return {
    ...(title === undefined ? {} : { title: title || titleOf(image.filename) }),
    ...(visibility === undefined ? {} : visibilityChange(image, visibility)),
  }
}
