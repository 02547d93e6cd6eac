import type { InputRuleSet, RuleSet } from '#server/limits/rule-set.ts'

/** What a call of many images is asked. */
interface Many {
  readonly ids: readonly string[]
}

/** Calls of many images, whatever their number: those whose input does not parse cost this and nothing else. */
export const bulk: RuleSet = { name: 'bulk', by: 'subject', rules: [{ limit: 60, window: '1m' }] }

/** What a call of many images takes: of the rule sets of the single calls as many permits as there are images, all or none. */
export function byNumber(sets: readonly RuleSet[]): readonly InputRuleSet<Many>[] {
  return [bulk, ...sets.map((set) => ({ ...set, cost: ({ ids }: Many) => ids.length }))]
}
