import type { RuleParts } from '#format/rules.ts'
import type { Algorithm, CompiledRule, CompiledRuleSet } from '#server/limits/rules/compiled.ts'

/** A rule as pages and figures show it. */
export interface RuleLine {
  readonly policy: string
  readonly parts: RuleParts
  readonly algorithm: Algorithm
  readonly limit: number
  readonly windowMs: number
}

export function ruleLines(sets: readonly CompiledRuleSet[]): RuleLine[] {
  return sets.flatMap(({ algorithm, rules }) =>
    rules.map(({ policy, parts, limit, windowMs }: CompiledRule) => ({ policy, parts, algorithm, limit, windowMs })),
  )
}
