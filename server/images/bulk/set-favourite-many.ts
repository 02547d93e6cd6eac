import { z } from 'zod'
import { mayRead } from '#server/images/access.ts'
import { favourite } from '#server/images/limits.ts'
import { markImages } from '#server/images/set-favourite.ts'
import { filingProcedure } from '#server/trpc/init.ts'
import { limitsFor } from '#server/trpc/limit.ts'
import { changedImages } from './changed-images.ts'
import { imageIds } from './ids.ts'
import { byNumber } from './limits.ts'
import { findProtected } from './lock-images.ts'
import { type BulkAnswer, bulkAnswer } from './outcome.ts'

const input = z.strictObject({ ids: imageIds, favourite: z.boolean() })

/** Marks several images as favourites of the viewer, each like `image.favourite`. */
export const setFavouriteMany = filingProcedure
  .meta({
    ...limitsFor(input, byNumber(favourite)),
    scope: 'manage',
    audit: { none: 'one’s own marks on images' },
  })
  .input(input)
  .mutation(async ({ ctx, input: { ids, favourite } }): Promise<BulkAnswer> => {
    const { db } = ctx.app
    const found = await findProtected(db, ids)
    const readable = [...found.values()].filter((image) => mayRead(ctx.viewer, image)).map(({ id }) => id)
    await markImages(db, ctx.viewer.userId, readable, favourite)
    return bulkAnswer(ids, await changedImages(db, readable, ctx), () => 'not-found')
  })
