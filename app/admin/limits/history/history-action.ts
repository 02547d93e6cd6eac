import type { HistoryItem } from '../types.ts'

/** What a history entry records. */
export function historyAction({ action, before, setBefore }: Pick<HistoryItem, 'action' | 'before' | 'setBefore'>) {
  if (action === 'limits.removeRuleSet') return 'removedSet'
  if (action === 'limits.setRuleSet') return setBefore ? 'changedSet' : 'addedSet'
  if (action === 'limits.reset') return 'reset'
  if (action === 'limits.clear') return 'cleared'
  return before ? 'changed' : 'created'
}

/** Whether it is about a rule set that was added at run time. */
export const isOfSet = ({ action }: Pick<HistoryItem, 'action'>): boolean =>
  action === 'limits.setRuleSet' || action === 'limits.removeRuleSet'
