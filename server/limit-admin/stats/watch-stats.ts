import { holderOfSession } from '#server/accounts/sessions/sessions.ts'
import { isAdmin, type Viewer } from '#server/accounts/viewer.ts'
import { findOutage } from '#server/outage.ts'
import type { Services } from '#server/services.ts'
import { adminProcedure } from '#server/trpc/init.ts'
import { limitAdminLive } from '../limits.ts'
import { type StatsView, statsView } from './stats-view.ts'

/** After this many samples, checks whether the viewer may still see them. */
const CHECK_INTERVAL = 5

/** Sends the limiter's figures at once and then every second, until the connection, the session or the viewer's rights
 *  end. Each sample is complete, so a missed one need not be sent again. */
export const watchStats = adminProcedure.meta({ limits: limitAdminLive }).subscription(async function* ({
  ctx,
  signal,
}): AsyncGenerator<StatsView, void, undefined> {
  const { app, viewer } = ctx
  const store = app.config.redisUrl ? 'redis' : 'in process'
  let sent = 0
  for await (const sample of app.limitAdmin.figures.watch(signal ?? new AbortController().signal)) {
    if (sent > 0 && sent % CHECK_INTERVAL === 0 && !(await mayStillWatch(app, viewer))) return
    yield statsView(sample, viewer, store)
    sent += 1
  }
})

/** A database outage ends nobody's session. */
async function mayStillWatch(app: Services, viewer: Viewer): Promise<boolean> {
  try {
    return viewer.sessionId !== null && isAdmin(await holderOfSession(app, viewer.sessionId))
  } catch (error) {
    if (findOutage(error)) return true
    throw error
  }
}
