import { publicProcedure } from '#server/trpc/init.ts'
import { accountView } from './limits.ts'
import { siteOf } from './site.ts'
import type { Viewer } from './viewer.ts'

/** Who is signed in, what their images take of what they may, and what a page must know of the site. */
export const me = publicProcedure.meta({ limits: accountView, scope: 'any' }).query(async ({ ctx }) => ({
  viewer: ctx.viewer && withoutSession(ctx.viewer),
  /** Bytes; `quota` null is as much as they like. Null for a guest. */
  room: ctx.viewer && (await ctx.app.images.roomOf(ctx.viewer.userId)),
  site: await siteOf(ctx.app),
}))

function withoutSession({ sessionId: _, ...viewer }: Viewer): Omit<Viewer, 'sessionId'> {
  return viewer
}
