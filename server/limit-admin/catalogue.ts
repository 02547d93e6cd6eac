import type { Scope } from '#server/accounts/viewer.ts'
import type { AnyRuleSet } from '#server/limits/rule-set.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'

/** Whatever declares rule sets: a procedure, a route, or a part of a route with charges of its own. */
export interface DeclaringPart {
  /** The procedure's path, or the part's name. */
  readonly path: string
  readonly kind: 'query' | 'mutation' | 'subscription' | 'route'
  readonly declared: readonly AnyRuleSet[]
  readonly compiled: readonly CompiledRuleSet[]
  /** What a call gets instead when a set in degrade mode lacks permits. */
  readonly cheaperAnswer?: string | undefined
  /** Charged before the caller is known: there is an address or an attempted name, but no role. */
  readonly isAnonymous: boolean
  /** Charged to tokens, in addition to what their owners are charged. */
  readonly isForTokens?: boolean | undefined
  /** Charged to shares, in addition to what their visitors are charged. */
  readonly isForShares?: boolean | undefined
  /** The schemas of a procedure's input. */
  readonly inputs?: readonly unknown[] | undefined
  /** What a rule set added at run time may count of a route's requests. */
  readonly arguments?: readonly string[] | undefined
  /** The scope that a token needs to call it; undefined means no token may. */
  readonly scope?: Scope | 'any' | undefined
}

/** One rule set where it is declared. */
export interface Use {
  readonly part: DeclaringPart
  readonly declared: AnyRuleSet
}

/** A rule set by name, with everything that uses it. All uses share one definition, except for the cost of a call. */
export interface NamedRuleSet {
  readonly name: string
  readonly uses: readonly [Use, ...Use[]]
  readonly compiled: readonly [CompiledRuleSet, ...CompiledRuleSet[]]
}

/** Everything that the code declares. Built once and never changed; overrides replace it elsewhere. */
export interface Catalogue {
  /** Procedures and routes in order of path. */
  readonly parts: readonly DeclaringPart[]
  readonly byPath: ReadonlyMap<string, DeclaringPart>
  /** By name, sorted. */
  readonly ruleSets: ReadonlyMap<string, NamedRuleSet>
}

/** Groups declarations by name. Assumes that names are unambiguous, which declaredLimits() has checked. */
export function createCatalogue(parts: readonly DeclaringPart[]): Catalogue {
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
  const ruleSets = [...uses]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, all]) => createNamedRuleSet(name, all))
  return {
    parts: parts.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    byPath: new Map(parts.map((part) => [part.path, part])),
    ruleSets: new Map(ruleSets.map((set) => [set.name, set])),
  }
}

function createNamedRuleSet(name: string, uses: readonly [Use, ...Use[]]): NamedRuleSet {
  const [first, ...more] = uses[0].part.compiled.filter(({ facts }) => facts.name === name)
  if (!first) throw new Error(`${uses[0].part.path} declares ${name} but has not compiled it`)
  return { name, uses, compiled: [first, ...more] }
}
