import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { auditImages } from './audit-images.ts'
import { findEditable } from './find-image.ts'
import { remove } from './limits.ts'

const input = z.strictObject({ id: z.uuid() })

/** Permanently deletes an image in the trash. A background job deletes its bytes unless another image has the same. */
export const purgeImage = personalProcedure
  .meta({ limits: remove, scope: 'manage', audit: 'image.purge' })
  .input(input)
  .mutation(async ({ ctx, input }) => {
    const image = await findEditable(ctx.app.db, ctx.viewer, input.id)
    const audit = (tx: Transaction) => auditImages(tx, ctx, 'image.purge', [{ before: image, after: null }])
    if (!(await ctx.app.images.purge(image, audit))) throw refuse('not-in-trash')
    return { id: image.id }
  })
