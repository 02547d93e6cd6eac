import { toActor } from '#server/audit/audit.ts'
import { limitAdminChange } from '#server/limit-admin/limits.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { hotlinkSchema, writeHotlink } from './access-rows.ts'

/** Sets the sites allowed to embed images, and the response to all others. */
export const setHotlink = superadminProcedure
  .meta({ limits: limitAdminChange, audit: 'access.setHotlink' })
  .input(hotlinkSchema)
  .mutation(async ({ ctx, input }): Promise<Record<string, never>> => {
    await writeHotlink(ctx.app.db, toActor(ctx), { ...input, sites: [...new Set(input.sites)] })
    await ctx.app.access.announce()
    return {}
  })
