import { z } from 'zod'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { findEditable } from './find-image.ts'
import { remove } from './limits.ts'

const input = z.strictObject({ id: z.uuid() })

/** Permanently deletes an image in the trash. A background job deletes its bytes unless another image has the same. */
export const purgeImage = personalProcedure
  .meta({ limits: remove, scope: 'manage' })
  .input(input)
  .mutation(async ({ ctx, input }) => {
    const image = await findEditable(ctx.app.db, ctx.viewer, input.id)
    if (!(await ctx.app.images.purge(image))) throw refuse('not-in-trash')
    return { id: image.id }
  })
