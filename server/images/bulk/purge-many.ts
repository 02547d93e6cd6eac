import { z } from 'zod'
import { auditImages } from '#server/images/audit-images.ts'
import { remove } from '#server/images/limits.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { limitsFor } from '#server/trpc/limit.ts'
import { imageIds } from './ids.ts'
import { byNumber } from './limits.ts'
import { findProtected } from './lock-images.ts'
import { type BulkAnswer, bulkAnswer, refusalToEdit } from './outcome.ts'

const input = z.strictObject({ ids: imageIds })

/** Permanently deletes images in the trash, each like `image.purge`. */
export const purgeMany = personalProcedure
  .meta({ ...limitsFor(input, byNumber(remove)), scope: 'manage', audit: 'image.purge' })
  .input(input)
  .mutation(async ({ ctx, input: { ids } }): Promise<BulkAnswer> => {
    const { db, images } = ctx.app
    const found = await findProtected(db, ids)
    const refusals = new Map(ids.map((id) => [id, refusalToEdit(ctx.viewer, found.get(id))]))
    const allowed = ids.filter((id) => refusals.get(id) === null)
    const purged = await images.purgeMany(allowed, (tx, gone) => {
      const changes = gone.flatMap((id) => found.get(id) ?? []).map((before) => ({ before, after: null }))
      return auditImages(tx, ctx, 'image.purge', changes)
    })
    return bulkAnswer(ids, new Map(purged.map((id) => [id, null])), (id) => refusals.get(id) ?? 'not-in-trash')
  })
