import { router } from '#server/trpc/init.ts'
import { explainLimits } from './explain-limits.ts'
import { listLimits } from './list-limits.ts'
import { myLimits } from './my-limits.ts'
import { clearOverride } from './overrides/clear-override.ts'
import { overrideLimit } from './overrides/override-limit.ts'
import { readHistory } from './overrides/read-history.ts'
import { resetUsage } from './reset-usage.ts'
import { readStats } from './stats/read-stats.ts'
import { watchStats } from './stats/watch-stats.ts'

export const limitsRouter = router({
  list: listLimits,
  explain: explainLimits,
  mine: myLimits,
  override: overrideLimit,
  clear: clearOverride,
  reset: resetUsage,
  history: readHistory,
  stats: readStats,
  live: watchStats,
})
