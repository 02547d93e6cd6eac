import { z } from 'zod'
import { transact } from '#server/database/transact.ts'
import { auditImages } from '#server/images/audit-images.ts'
import { setVisibility } from '#server/images/image-rows.ts'
import { edit } from '#server/images/limits.ts'
import { userProcedure } from '#server/trpc/init.ts'
import { limitsFor } from '#server/trpc/limit.ts'
import { changedImages } from './changed-images.ts'
import { imageIds } from './ids.ts'
import { byNumber } from './limits.ts'
import { findProtected, lockImages } from './lock-images.ts'
import { type BulkAnswer, bulkAnswer, refusalToEdit } from './outcome.ts'

const visibility = z.enum(['private', 'link', 'public'])
const input = z.strictObject({ ids: imageIds, visibility })

/** Sets the visibility of several images, each like `image.update`. */
export const setVisibilityMany = userProcedure
  .meta({ ...limitsFor(input, byNumber(edit)), scope: 'manage', audit: 'image.update' })
  .input(input)
  .mutation(async ({ ctx, input: { ids, visibility } }): Promise<BulkAnswer> => {
    const { db } = ctx.app
    const found = await findProtected(db, ids)
    const refusals = new Map(ids.map((id) => [id, refusalToEdit(ctx.viewer, found.get(id))]))
    const editable = ids.filter((id) => refusals.get(id) === null)
    const done = await transact(db, async (tx) => {
      const locked = await lockImages(tx, editable)
      const existing = [...locked.keys()]
      await setVisibility(tx, existing, visibility)
      const changes = [...locked.values()].map((before) => ({ before, after: { ...before, visibility } }))
      await auditImages(tx, ctx, 'image.update', changes)
      return changedImages(tx, existing, ctx)
    })
    return bulkAnswer(ids, done, (id) => refusals.get(id) ?? 'not-found')
  })
