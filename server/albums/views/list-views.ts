import { userProcedure } from '#server/trpc/init.ts'
import { views } from './limits.ts'
import { MAX_VIEWS, toView, type ViewItem, viewColumns } from './view-terms.ts'

/** Returns the viewer's saved views, the oldest first. */
export const listViews = userProcedure
  .meta({ limits: views, scope: 'read' })
  .query(async ({ ctx }): Promise<{ items: ViewItem[] }> => {
    const rows = await ctx.app.db.savedView.findMany({
      where: { userId: ctx.viewer.userId },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      take: MAX_VIEWS,
      select: viewColumns,
    })
    return { items: rows.map(toView) }
  })
