import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { edit } from '#server/images/limits.ts'
import { newSlug } from '#server/images/slug.ts'
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
  .meta({ ...limitsFor(input, byNumber(edit)), scope: 'manage' })
  .input(input)
  .mutation(async ({ ctx, input: { ids, visibility } }): Promise<BulkAnswer> => {
    const { db, images } = ctx.app
    const found = await findProtected(db, ids)
    const refusals = new Map(ids.map((id) => [id, refusalToEdit(ctx.viewer, found.get(id))]))
    const editable = ids.filter((id) => refusals.get(id) === null)
    const done = await transact(db, async (tx) => {
      const existing = [...(await lockImages(tx, editable)).keys()]
      await setVisibility(tx, existing, visibility)
      return changedImages(tx, existing, ctx)
    })
    images.changes.tell([...done.keys()])
    return bulkAnswer(ids, done, (id) => refusals.get(id) ?? 'not-found')
  })

/** An image that becomes private gets a new slug, as in visibility.ts. */
async function setVisibility(
  tx: Transaction,
  ids: readonly string[],
  visibility: z.output<typeof input>['visibility'],
): Promise<void> {
  await tx.$executeRaw`
    UPDATE "Image" AS "image" SET
      "visibility" = ${visibility}::"Visibility",
      "slug" = CASE WHEN ${visibility} = 'private' AND "image"."visibility" <> 'private'
        THEN "new"."slug" ELSE "image"."slug" END
    FROM unnest(${ids}::uuid[], ${ids.map(() => newSlug())}::text[]) AS "new" ("id", "slug")
    WHERE "image"."id" = "new"."id"`
}
