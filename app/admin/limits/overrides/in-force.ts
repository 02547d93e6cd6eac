import { placeKey } from '../terms-text.ts'
import type { DeclaredTerms, OverrideItem, Place, RuleSetItem } from '../types.ts'

/** The override at a place, in effect or not. */
export const overrideAt = ({ overrides }: Pick<RuleSetItem, 'overrides'>, place: Place): OverrideItem | null =>
  overrides.find((override) => placeKey(override) === placeKey(place)) ?? null

/** The override in effect for everyone; null if the declared terms are. */
export const overrideForAll = ({ overrides }: Pick<RuleSetItem, 'overrides'>): OverrideItem | null =>
  overrides.find(({ procedure, target, rules }) => !procedure && target.kind === 'all' && rules !== null) ?? null

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
