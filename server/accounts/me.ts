import { readPublicSite } from '#server/site/public-site.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { accountView } from './limits.ts'
import type { Viewer } from './viewer.ts'

/** Returns the viewer, their storage use and quota, and the site's public settings. */
export const me = publicProcedure.meta({ limits: accountView, scope: 'any' }).query(async ({ ctx }) => ({
  viewer: ctx.viewer && withoutSession(ctx.viewer),
  /** Bytes; a null `quota` is unlimited. Null for a guest. */
  room: ctx.viewer && (await ctx.app.images.readRoom(ctx.viewer.userId)),
  site: await readPublicSite(ctx.app),
}))

function withoutSession({ sessionId: _, provedAt: __, ...viewer }: Viewer): Omit<Viewer, 'sessionId' | 'provedAt'> {
  return viewer
}
