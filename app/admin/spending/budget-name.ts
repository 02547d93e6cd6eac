import type { Translate } from '#app/ui/translate.ts'
import type { BudgetItem, BudgetUnit } from './types.ts'

/** Names a budget: `Reads per day`, `Stored data`. */
export const nameBudget = ({ unit, period }: Pick<BudgetItem, 'unit' | 'period'>, t: Translate<'budgets'>): string =>
  t('budget', { unit: t(`unit.${unit}`), period })

/** What a spent budget refuses; `reads` are images that are not cached. */
const refusedBy = {
  money: ['uploads', 'reads'],
  requests: ['uploads', 'reads'],
  bytes: ['uploads', 'reads'],
  writes: ['uploads'],
  stored: ['uploads'],
  reads: ['reads'],
  bytesOut: ['reads'],
} as const satisfies Record<BudgetUnit, readonly ('uploads' | 'reads')[]>

/** What is refused while budgets of these units are spent. */
export function refusedWhileSpent(units: readonly BudgetUnit[]): 'uploads' | 'reads' | 'both' {
  const refused = new Set<string>(units.flatMap((unit) => refusedBy[unit]))
  if (refused.has('uploads') && refused.has('reads')) return 'both'
  return refused.has('uploads') ? 'uploads' : 'reads'
}
