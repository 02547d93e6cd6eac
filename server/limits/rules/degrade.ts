import { InvalidRuleSet } from './compile.ts'
import type { CompiledRuleSet } from './compiled.ts'

/** Throws InvalidRuleSet for a set in degrade mode where no cheaper answer is declared: beyond its limit calls would get the
 *  full answer, so that it would limit nothing. */
export function refuseBareDegrade(
  label: string,
  sets: readonly CompiledRuleSet[],
  cheaperAnswer: string | undefined,
): void {
  const bare = cheaperAnswer ? undefined : sets.find(({ facts }) => facts.mode === 'degrade')
  if (bare)
    throw new InvalidRuleSet(
      label,
      `rule set ${bare.facts.name}: mode: degrade needs a cheaper answer, which cheaperAnswer must name`,
    )
}
