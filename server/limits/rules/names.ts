import { InvalidRuleSet } from './compile.ts'
import type { CompiledRuleSet } from './compiled.ts'

/** The rule sets of a procedure or a route. */
export interface Declared {
  readonly procedure: string
  readonly sets: readonly CompiledRuleSet[]
}

/** Checks that all who name a rule set mean the same, for they share its count. What a call takes of it, its cost and
 *  whether successes are free, is each one's own. Throws InvalidRuleSet, which names both procedures. */
export function checkNames(all: readonly Declared[]): void {
  const first = new Map<string, { readonly procedure: string; readonly meaning: string }>()
  for (const { procedure, sets } of all) {
    for (const [name, parts] of Map.groupBy(sets, ({ facts }) => facts.name)) {
      const meaning = JSON.stringify(parts.map(meaningOf))
      const known = first.get(name) ?? { procedure, meaning }
      first.set(name, known)
      if (known.meaning !== meaning)
        throw new InvalidRuleSet(procedure, `rule set ${name}: means something else in ${known.procedure}`)
    }
  }
}

function meaningOf({ algorithm, rules, facts }: CompiledRuleSet) {
  const { by, unit, mode, waitMs, scope, onStoreFailure } = facts
  return { algorithm, rules, by, unit, mode, waitMs, scope, onStoreFailure }
}
