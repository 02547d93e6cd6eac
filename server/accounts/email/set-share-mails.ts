import { z } from 'zod'
import { personalProcedure } from '#server/trpc/init.ts'
import { preferenceChange } from '../limits.ts'

/** Chooses whether warnings about the viewer's shares are mailed to them. */
export const setShareMails = personalProcedure
  .meta({ limits: preferenceChange, audit: { none: 'it changes only what is mailed to oneself' } })
  .input(z.strictObject({ wants: z.boolean() }))
  .mutation(async ({ ctx, input: { wants } }) => {
    const where = { id: ctx.viewer.userId }
    await ctx.app.db.user.update({ where, data: { wantsShareMails: wants }, select: { id: true } })
    return { wants }
  })
