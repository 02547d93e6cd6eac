import type { HistoryItem } from '../types.ts'

/** What a history entry records. */
export function historyAction({ action, before }: Pick<HistoryItem, 'action' | 'before'>) {
  if (action === 'limits.reset') return 'reset'
  if (action === 'limits.clear') return 'cleared'
  return before ? 'changed' : 'created'
}
