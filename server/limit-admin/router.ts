import { router } from '#server/trpc/init.ts'
import { clearOverride } from './clear-override.ts'
import { listLimits } from './list-limits.ts'
import { myLimits } from './my-limits.ts'
import { overrideLimit } from './override-limit.ts'
import { readHistory } from './read-history.ts'
import { readStats } from './read-stats.ts'
import { resetUsage } from './reset-usage.ts'
import { watchStats } from './watch-stats.ts'

export const limitsRouter = router({
  list: listLimits,
  mine: myLimits,
  override: overrideLimit,
  clear: clearOverride,
  reset: resetUsage,
  history: readHistory,
  stats: readStats,
  live: watchStats,
})
