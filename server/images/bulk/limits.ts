import type { InputRuleSet, RuleSet } from '#server/limits/rule-set.ts'

/*
 * A call for many images is charged by their number before any work, all or none, and answers for each image (outcome.ts).
 */

interface Many {
  readonly ids: readonly string[]
}

/** Calls for many images, whatever their number. A call with invalid input is charged this alone. */
export const bulk: RuleSet = { name: 'bulk', by: 'subject', rules: [{ limit: 60, window: '1m' }] }

/** Returns the rule sets of a call for many images: those of the single call, with one permit per image. */
export function byNumber(sets: readonly RuleSet[]): readonly InputRuleSet<Many>[] {
  return [bulk, ...sets.map((set) => ({ ...set, cost: ({ ids }: Many) => ids.length }))]
}
