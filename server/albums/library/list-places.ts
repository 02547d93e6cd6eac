import { z } from 'zod'
import { personalProcedure } from '#server/trpc/init.ts'
import { notFound } from '../find-album.ts'
import { isRank } from '../rank.ts'
import { libraryView } from './limits.ts'
import { type ExportedPlace, readPlaces } from './read-library.ts'

const MOST = 5_000

const input = z.strictObject({
  /** The album. */
  id: z.uuid(),
  /** The last item of the page before. */
  after: z.strictObject({ id: z.uuid(), rank: z.string().refine(isRank) }).optional(),
})

/** Returns images of an album of the viewer's in its own order, with their ranks, which `album.add` takes. A page that is not full
 *  is the last one. */
export const listPlaces = personalProcedure
  .meta({ limits: libraryView, scope: 'read' })
  .input(input)
  .query(async ({ ctx, input: { id, after } }): Promise<{ items: readonly ExportedPlace[]; isLast: boolean }> => {
    const { db } = ctx.app
    const count = await db.album.count({ where: { id, ownerId: ctx.viewer.userId, deletedAt: null } })
    if (count === 0) throw notFound()
    const items = await readPlaces(db, id, { after: after ?? null, most: MOST })
    return { items, isLast: items.length < MOST }
  })
