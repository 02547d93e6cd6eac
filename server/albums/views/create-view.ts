import { z } from 'zod'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { views } from './limits.ts'
import { MAX_VIEWS, toView, type ViewItem, viewColumns, viewName, viewTerms } from './view-terms.ts'

const input = z.strictObject({ name: viewName, terms: viewTerms })

/** Saves a search under a name. */
export const createView = personalProcedure
  .meta({ limits: views, scope: 'manage', audit: { none: 'a view is a search that only its owner sees' } })
  .input(input)
  .mutation(
    ({ ctx, input: { name, terms } }): Promise<ViewItem> =>
      transact(ctx.app.db, async (tx) => {
        const { userId } = ctx.viewer
        // Saving waits for another at once, so that neither exceeds the limit.
        await tx.$queryRaw`SELECT 1 FROM "User" WHERE "id" = ${userId}::uuid FOR NO KEY UPDATE`
        if ((await tx.savedView.count({ where: { userId } })) >= MAX_VIEWS)
          throw refuse('too-many-views', { limit: MAX_VIEWS })
        return toView(await tx.savedView.create({ data: { userId, name, terms }, select: viewColumns }))
      }),
  )
