import { viewerOfSession } from '#server/accounts/sessions/sessions.ts'
import { isAdmin, type Viewer } from '#server/accounts/viewer.ts'
import { outageOf } from '#server/outage.ts'
import type { Services } from '#server/services.ts'
import { adminProcedure } from '#server/trpc/init.ts'
import { operationsLive } from './limits.ts'
import { type StatsView, statsView } from './stats-view.ts'

/** After so many figures it is looked whether the viewer still may see them. */
const CHECK_EACH = 5

/** What the limiter does, at once and then each second, until the line ends, or the viewer's session or rights. Each
 *  stands for itself, so that one that is missed need not be sent again. */
export const watchStats = adminProcedure.meta({ limits: operationsLive }).subscription(async function* ({
  ctx,
  signal,
}): AsyncGenerator<StatsView, void, undefined> {
  const { app, viewer } = ctx
  const store = app.config.redisUrl ? 'redis' : 'in process'
  let sent = 0
  for await (const sample of app.limitAdmin.figures.watch(signal ?? new AbortController().signal)) {
    if (sent > 0 && sent % CHECK_EACH === 0 && !(await mayStillLook(app, viewer))) return
    yield statsView(sample, viewer, store)
    sent += 1
  }
})

/** A database that does not answer ends nobody's session. */
async function mayStillLook({ db }: Services, viewer: Viewer): Promise<boolean> {
  try {
    return viewer.sessionId !== null && isAdmin(await viewerOfSession(db, viewer.sessionId))
  } catch (error) {
    if (outageOf(error)) return true
    throw error
  }
}
