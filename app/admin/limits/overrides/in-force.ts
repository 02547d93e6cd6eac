import type { DeclaredTerms, OverrideItem, OverrideTarget, RuleSetItem } from '../types.ts'
import { sameTarget } from '../words.ts'

/** The override for one target, whether it holds or not. */
export const overrideAt = (
  { overrides }: Pick<RuleSetItem, 'overrides'>,
  target: OverrideTarget,
): OverrideItem | null => overrides.find((override) => sameTarget(override.target, target)) ?? null

/** The override for everybody that holds; null where what is declared does. */
export const overrideForAll = ({ overrides }: Pick<RuleSetItem, 'overrides'>): OverrideItem | null =>
  overrides.find(({ target, rules }) => target.kind === 'all' && rules !== null) ?? null

/** What holds for everybody whom no narrower override names. */
export function rulesInForce(set: RuleSetItem): Pick<RuleSetItem, 'rules'> & DeclaredTermsButRules {
  const override = overrideForAll(set)
  const { rules: _, ...terms } = { ...set.declared, ...override?.terms }
  return { ...terms, rules: override?.rules ?? set.rules }
}

type DeclaredTermsButRules = Omit<DeclaredTerms, 'rules'>

/** The terms as an override leaves them. */
export const termsUnder = (declared: DeclaredTerms, override: Pick<OverrideItem, 'terms'> | null): DeclaredTerms => ({
  ...declared,
  ...override?.terms,
})
