import { router } from '#server/trpc/init.ts'
import { removeRuleSet } from './added/remove-rule-set.ts'
import { setRuleSet } from './added/set-rule-set.ts'
import { listBlocks } from './blocks/list-blocks.ts'
import { explainLimits } from './explain-limits.ts'
import { listLimits } from './list-limits.ts'
import { myLimits } from './my-limits.ts'
import { clearOverride } from './overrides/clear-override.ts'
import { overrideLimit } from './overrides/override-limit.ts'
import { readHistory } from './overrides/read-history.ts'
import { readRefusal } from './refusals/read-refusal.ts'
import { resetUsage } from './reset-usage.ts'
import { readStats } from './stats/read-stats.ts'
import { watchStats } from './stats/watch-stats.ts'
import { exportLimits } from './transfer/export-limits.ts'
import { importLimits } from './transfer/import-limits.ts'

export const limitsRouter = router({
  list: listLimits,
  blocks: listBlocks,
  explain: explainLimits,
  refusal: readRefusal,
  mine: myLimits,
  override: overrideLimit,
  clear: clearOverride,
  setRuleSet,
  removeRuleSet,
  reset: resetUsage,
  history: readHistory,
  export: exportLimits,
  import: importLimits,
  stats: readStats,
  live: watchStats,
})
