import { z } from 'zod'
import { locales } from '#format/locale.ts'
import { invalid } from '#server/errors/invalid.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { preferenceChange } from './limits.ts'

/** Null leaves the language to the browser. */
const input = z.strictObject({ locale: z.enum(locales, invalid('locale')).nullable() })

/** Chooses the language of the viewer's pages, on every device. Users of a shared account choose it in their browser alone. */
export const setLocale = personalProcedure
  .meta({ limits: preferenceChange, audit: { none: 'it changes only the language of own pages' } })
  .input(input)
  .mutation(async ({ ctx, input: { locale } }) => {
    await ctx.app.db.user.update({ where: { id: ctx.viewer.userId }, data: { locale }, select: { id: true } })
    return { locale }
  })
