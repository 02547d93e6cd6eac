import { accountView } from '#server/accounts/limits.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { type PublicSite, readPublicSite } from './public-site.ts'

/** Returns the site's name, looks, languages, and whether guests may sign up or browse. */
export const showPublicSite = publicProcedure
  .meta({ limits: accountView, scope: 'any' })
  .query(({ ctx }): Promise<PublicSite> => readPublicSite(ctx.app))
