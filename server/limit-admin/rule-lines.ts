import type { Algorithm, CompiledRule, CompiledRuleSet } from '#server/limits/rules/compiled.ts'

/** A rule as pages and figures show it. */
export interface RuleLine {
  readonly policy: string
  /** '100 per minute'. */
  readonly words: string
  readonly algorithm: Algorithm
  readonly limit: number
  readonly windowMs: number
}

export function ruleLines(sets: readonly CompiledRuleSet[]): RuleLine[] {
  return sets.flatMap(({ algorithm, rules }) =>
    rules.map(({ policy, words, limit, windowMs }: CompiledRule) => ({ policy, words, algorithm, limit, windowMs })),
  )
}
