import { z } from 'zod'
import { personalProcedure } from '#server/trpc/init.ts'
import { views } from './limits.ts'
import { changeableView, noView } from './view-terms.ts'

/** Deletes a saved view, and no image. */
export const deleteView = personalProcedure
  .meta({ limits: views, scope: 'manage', audit: { none: 'a view is a search that only its owner sees' } })
  .input(z.strictObject({ id: z.uuid() }))
  .mutation(async ({ ctx, input: { id } }) => {
    const { count } = await ctx.app.db.savedView.deleteMany({ where: changeableView(ctx.viewer, id) })
    if (count === 0) throw noView()
    return { id }
  })
