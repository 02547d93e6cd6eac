import type { Scope } from '#server/accounts/viewer.ts'
import type { AnyRuleSet } from '#server/limits/rule-set.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'

/** What declares rule sets: a procedure, or a route or a part of one that charges beside what procedures declare. */
export interface DeclaringPart {
  /** The procedure's path, or the part's name. */
  readonly path: string
  readonly kind: 'query' | 'mutation' | 'subscription' | 'route'
  /** Why a procedure needs no limits, or what a route is. */
  readonly reason: string | null
  readonly declared: readonly AnyRuleSet[]
  readonly compiled: readonly CompiledRuleSet[]
  /** Decided before it is known who calls: there is an address, or a name that was tried, and no role. */
  readonly isAnonymous: boolean
  /** Taken of tokens, beside what their owners take. */
  readonly isForTokens?: boolean | undefined
  /** What a token must be for, to call it; none may where nothing is said. */
  readonly scope?: Scope | 'any' | undefined
}

/** One rule set where it is declared. */
export interface Use {
  readonly part: DeclaringPart
  readonly declared: AnyRuleSet
}

/** A rule set by its name, with all who take from it. They mean the same by it, but for what a call costs. */
export interface NamedRuleSet {
  readonly name: string
  readonly uses: readonly [Use, ...Use[]]
  readonly compiled: readonly [CompiledRuleSet, ...CompiledRuleSet[]]
}

/** All that code declares: made once, and never changed. */
export interface Catalogue {
  /** Procedures and routes by their path. */
  readonly parts: readonly DeclaringPart[]
  /** By name, in order. */
  readonly ruleSets: ReadonlyMap<string, NamedRuleSet>
}

/** Orders what is declared by name. Names mean one thing each: declaredLimits() has checked that. */
export function catalogueOf(parts: readonly DeclaringPart[]): Catalogue {
  const uses = new Map<string, [Use, ...Use[]]>()
  for (const part of parts) {
    for (const declared of part.declared) {
      const name = declared.name ?? part.path
      const use = { part, declared: { ...declared, name } }
      const known = uses.get(name)
      if (known) known.push(use)
      else uses.set(name, [use])
    }
  }
  const ruleSets = [...uses].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, all]) => named(name, all))
  return {
    parts: parts.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    ruleSets: new Map(ruleSets.map((set) => [set.name, set])),
  }
}

function named(name: string, uses: readonly [Use, ...Use[]]): NamedRuleSet {
  const [first, ...more] = uses[0].part.compiled.filter(({ facts }) => facts.name === name)
  if (!first) throw new Error(`${uses[0].part.path} declares ${name}, and has not compiled it`)
  return { name, uses, compiled: [first, ...more] }
}
