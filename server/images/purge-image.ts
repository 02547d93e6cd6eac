import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { userProcedure } from '#server/trpc/init.ts'
import { mayPurgeAtAll } from './access.ts'
import { findEditable } from './find-image.ts'
import { remove } from './limits.ts'

const input = z.strictObject({ id: z.uuid() })

/** Removes an image from the trash for good, and its bytes when no other image has the same. */
export const purgeImage = userProcedure
  .meta({ limits: remove })
  .input(input)
  .mutation(async ({ ctx, input }) => {
    if (!mayPurgeAtAll(ctx.viewer)) {
      throw new TRPCError({ code: 'FORBIDDEN', message: 'A shared account cannot do this.' })
    }
    const image = await findEditable(ctx.app.db, ctx.viewer, input.id)
    if (!(await ctx.app.images.purge(image))) {
      throw new TRPCError({
        code: 'PRECONDITION_FAILED',
        message: 'Only an image in the trash can be removed for good.',
      })
    }
    return { id: image.id }
  })
