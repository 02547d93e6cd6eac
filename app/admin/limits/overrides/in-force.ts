import { sameTarget } from '../terms-text.ts'
import type { DeclaredTerms, OverrideItem, OverrideTarget, RuleSetItem } from '../types.ts'

/** The override for a target, in effect or not. */
export const overrideAt = (
  { overrides }: Pick<RuleSetItem, 'overrides'>,
  target: OverrideTarget,
): OverrideItem | null => overrides.find((override) => sameTarget(override.target, target)) ?? null

/** The override in effect for everyone; null if the declared terms are. */
export const overrideForAll = ({ overrides }: Pick<RuleSetItem, 'overrides'>): OverrideItem | null =>
  overrides.find(({ target, rules }) => target.kind === 'all' && rules !== null) ?? null

/** The terms for callers without a narrower override. */
export function rulesInForce(set: RuleSetItem): Pick<RuleSetItem, 'rules'> & DeclaredTermsButRules {
  const override = overrideForAll(set)
  const { rules: _, ...terms } = { ...set.declared, ...override?.terms }
  return { ...terms, rules: override?.rules ?? set.rules }
}

type DeclaredTermsButRules = Omit<DeclaredTerms, 'rules'>

/** The declared terms with those of an override. */
export const termsUnder = (declared: DeclaredTerms, override: Pick<OverrideItem, 'terms'> | null): DeclaredTerms => ({
  ...declared,
  ...override?.terms,
})
