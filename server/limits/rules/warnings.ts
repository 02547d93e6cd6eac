import type { CompiledRule, CompiledRuleSet } from './compiled.ts'

/** What holds, but cannot be meant: a rule that never refuses, because another of its set always does so before. */
export function ruleSetWarnings(procedure: string, sets: readonly CompiledRuleSet[]): readonly string[] {
  return sets.flatMap((set) => {
    const rules: readonly CompiledRule[] = set.rules
    return rules.flatMap((rule) => {
      const stricter = rules.find((other) => other !== rule && mostWithin(rule.windowMs, other) <= rule.limit)
      if (!stricter) return []
      const [idle, active] = [rule, stricter].map((each) => `${each.policy} (${each.words})`)
      return [`${procedure}: ${idle} never refuses, for ${active} always does so first`]
    })
  })
}

/** The most that a rule ever lets pass in a window of another length. */
function mostWithin(windowMs: number, rule: CompiledRule): number {
  return rule.limit * Math.ceil(windowMs / rule.windowMs)
}
