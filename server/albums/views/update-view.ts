import { z } from 'zod'
import { personalProcedure } from '#server/trpc/init.ts'
import { views } from './limits.ts'
import { changeableView, noView, toView, type ViewItem, viewColumns, viewName, viewTerms } from './view-terms.ts'

const input = z.strictObject({ id: z.uuid(), name: viewName.optional(), terms: viewTerms.optional() })

/** Renames a saved view, or changes what it shows. */
export const updateView = personalProcedure
  .meta({ limits: views, scope: 'manage', audit: { none: 'a view is a search that only its owner sees' } })
  .input(input)
  .mutation(async ({ ctx, input: { id, name, terms } }): Promise<ViewItem> => {
    const [changed] = await ctx.app.db.savedView.updateManyAndReturn({
      where: changeableView(ctx.viewer, id),
      data: { ...(name !== undefined && { name }), ...(terms && { terms }) },
      select: viewColumns,
    })
    if (!changed) throw noView()
    return toView(changed)
  })
