import type { HistoryItem } from '../types.ts'
import { targetWords, termsWords } from '../words.ts'

/** One entry of the history. */
export type Change = Pick<HistoryItem, 'action' | 'ruleSet' | 'target' | 'subjectName' | 'before' | 'after'>

/** What was done, behind the name of who did it: `overrode view for everybody`. */
export function actionWords({ action, ruleSet, target, subjectName, before }: Change): string {
  const whom = targetWords(target, subjectName)
  if (action === 'limits.reset') return `forgot what ${whom} had used of ${ruleSet}`
  if (action === 'limits.clear') return `cleared the override of ${ruleSet} for ${whom}`
  return before ? `changed the override of ${ruleSet} for ${whom}` : `overrode ${ruleSet} for ${whom}`
}

/** Before and after in words; null where nothing was to change. */
export function changeWords({ action, before, after }: Change): { before: string; after: string } | null {
  if (action === 'limits.reset') return null
  return { before: before ? termsWords(before) : 'as declared', after: after ? termsWords(after) : 'as declared' }
}
