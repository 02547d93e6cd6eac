import { InvalidRuleSet } from './compile.ts'
import { type CompiledRuleSet, countsTogether } from './compiled.ts'
import { LEAST_NETWORKS } from './set-schema.ts'

/** The rule sets of a procedure or a route. */
export interface Declared {
  /** The procedure's path, or the route's label. */
  readonly label: string
  readonly sets: readonly CompiledRuleSet[]
}

/** Checks that all declarations of one rule set name mean the same, because they share its count. The cost of a call,
 *  and whether successes are free, may differ. Throws InvalidRuleSet, which names both. */
export function checkNames(all: readonly Declared[]): void {
  const first = new Map<string, { readonly label: string; readonly meaning: string }>()
  for (const { label, sets } of all) {
    for (const [name, parts] of Map.groupBy(sets, ({ facts }) => facts.name)) {
      const meaning = JSON.stringify(parts.map(meaningOf))
      const known = first.get(name) ?? { label, meaning }
      first.set(name, known)
      if (known.meaning !== meaning)
        throw new InvalidRuleSet(label, `rule set ${name}: means something else in ${known.label}`)
    }
  }
}

/** Checks that nobody alone can use up what everybody shares. Throws InvalidRuleSet. */
export function checkShared(all: readonly Declared[]): void {
  for (const { label, sets } of all) {
    for (const { facts, network } of sets) {
      if (!countsTogether(facts) || network !== null) continue
      const problem = `counts all callers together: add networks: ${LEAST_NETWORKS}, or more, which may use it up`
      throw new InvalidRuleSet(label, `rule set ${facts.name}: ${problem}`)
    }
  }
}

function meaningOf({ algorithm, rules, facts, network }: CompiledRuleSet) {
  const { by, unit, mode, penalty, waitMs, scope, onStoreFailure } = facts
  return { algorithm, rules, by, unit, mode, penalty, waitMs, scope, onStoreFailure, ofNetwork: network?.rules }
}
