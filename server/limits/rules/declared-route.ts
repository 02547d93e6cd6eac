import type { CallOptions } from '../call-limiter.ts'
import type { LimitRequest } from '../charges.ts'
import type { AnyRuleSet } from '../rule-set.ts'
import type { AnyCaller } from '../subject.ts'
import { compileRuleSets } from './compile.ts'
import type { CompiledRuleSet } from './compiled.ts'
import { refuseBareDegrade } from './degrade.ts'

/** A place outside the procedures that charges rule sets: a route, the sign-in, a token, or a step within procedures. */
export interface DeclaredRoute<Scope extends string = string> {
  /** The label of its calls in statistics and in the list of limits. */
  readonly label: string
  /** The rule sets as they are written. */
  readonly declared: readonly AnyRuleSet[]
  /** What a call gets instead when a set in degrade mode lacks permits, in words. Without one, its sets cannot degrade. */
  readonly cheaperAnswer?: string | undefined
  /** Charged before the caller is known: by an address, or a name that was tried, and not by role. */
  readonly isAnonymous: boolean
  /** The scope that a token needs to be charged. */
  readonly scope?: Scope | undefined
  /** Charged to tokens, in addition to the charges of their owners. */
  readonly isForTokens?: boolean | undefined
  /** Charged to shares, in addition to the charges of their visitors. Its rules keep their windows, which owners' own limits name. */
  readonly isForShares?: boolean | undefined
  /** What of its requests a rule set added at run time may count. */
  readonly arguments?: readonly string[] | undefined
  /** The compiled rule sets. */
  readonly sets: readonly CompiledRuleSet[]
}

/** Declares a route's label together with its rule sets, once for the code that charges it and for the catalogue.
 *  Throws InvalidRuleSet. */
export function declareRoute<Scope extends string = never>(
  route: Omit<DeclaredRoute<Scope>, 'sets'>,
): DeclaredRoute<Scope> {
  const sets = compileRuleSets(route.label, route.declared)
  refuseBareDegrade(route.label, sets, route.cheaperAnswer)
  return { ...route, sets }
}

/** Returns some of a route's sets, which are charged separately from the others. Throws for a rule set that the route
 *  does not declare. */
export function setsOf({ label, sets }: DeclaredRoute, some: readonly AnyRuleSet[]): readonly CompiledRuleSet[] {
  return some.flatMap(({ name = label }) => {
    const named = sets.filter(({ facts }) => facts.name === name)
    if (named.length === 0) throw new Error(`${label} does not declare the rule set ${name}`)
    return named
  })
}

/** Returns what the limiter is asked for a request of a route that charges all of its sets to one caller: its charges and its
 *  label. */
export const chargeOf = ({ label, sets }: DeclaredRoute, caller: AnyCaller): [LimitRequest[], CallOptions] => [
  [{ procedure: label, sets, caller }],
  { label },
]
