import type { LimitRequest } from './charges.ts'
import type { CompiledRuleSet, SetFacts } from './rules/compiled.ts'
import { type AnyCaller, subjectOf, totalSubjectOf } from './subject.ts'

/** The calls that an override applies to. A subject is spelled as in its keys: a user's id, an address,
 *  or both (subject.ts). */
export type OverrideTarget = 'all' | { readonly role: string } | { readonly subject: string }

/** Replaces a declared rule set at run time, for all callers, for a role or for one subject. */
export interface Override {
  /** The name of the replaced set; it is replaced wherever a set of that name is declared. */
  readonly ruleSet: string
  readonly target: OverrideTarget
  /** Its parts, compiled under the same name. */
  readonly sets: readonly CompiledRuleSet[]
}

/** The overrides of one rule set. */
interface Variants {
  all: readonly CompiledRuleSet[] | null
  readonly byRole: Map<string, readonly CompiledRuleSet[]>
  readonly bySubject: Map<string, readonly CompiledRuleSet[]>
}

/** The overrides in force. Declared sets are never changed themselves. What a key has counted survives an override: a
 *  key names the algorithm and the windows, but no limit. */
export class Overrides {
  #variants: ReadonlyMap<string, Variants> = new Map()
  /** Each part of an override combined with the cost and `count` of each declaration that it replaces; made once. */
  #adapted = new WeakMap<CompiledRuleSet, WeakMap<SetFacts, CompiledRuleSet>>()

  /** Replaces all overrides. */
  replace(overrides: readonly Override[]): void {
    const variants = new Map<string, Variants>()
    for (const { ruleSet, target, sets } of overrides) {
      const own = variants.get(ruleSet) ?? { all: null, byRole: new Map(), bySubject: new Map() }
      variants.set(ruleSet, own)
      if (target === 'all') own.all = sets
      else if ('role' in target) own.byRole.set(target.role, sets)
      else own.bySubject.set(target.subject, sets)
    }
    this.#variants = variants
    this.#adapted = new WeakMap()
  }

  /** The requests with overrides applied. The most specific one wins: a subject's, then a role's, then
   *  that for all. */
  inForce(requests: readonly LimitRequest[]): readonly LimitRequest[] {
    if (this.#variants.size === 0) return requests
    return requests.map((request) => ({ ...request, sets: this.#setsFor(request) }))
  }

  /** The target of the override that holds for a caller; null where the declared set does. */
  targetFor({ facts }: CompiledRuleSet, caller: AnyCaller): OverrideTarget | null {
    const variants = this.#variants.get(facts.name)
    if (!variants) return null
    const { all, byRole, bySubject } = variants
    const subject = subjectsOf(facts.by, caller).find((each) => bySubject.has(each))
    if (subject !== undefined) return { subject }
    const role = roleOf(caller)
    if (role !== undefined && byRole.has(role)) return { role }
    return all && 'all'
  }

  #setsFor({ sets, caller }: LimitRequest): readonly CompiledRuleSet[] {
    if (!sets.some(({ facts }) => this.#variants.has(facts.name))) return sets
    const replaced = new Set<string>()
    return sets.flatMap((set) => {
      const { name } = set.facts
      const variants = this.#variants.get(name)
      const parts = variants && variantFor(variants, set.facts, caller)
      if (!parts) return set
      // A set of several algorithms is compiled to several parts: the first is replaced by the override, the others go.
      if (replaced.has(name)) return []
      replaced.add(name)
      return parts.map((part) => this.#adapt(part, set.facts))
    })
  }

  /** Keeps the cost and `count` of each declaration. */
  #adapt(part: CompiledRuleSet, declared: SetFacts): CompiledRuleSet {
    const known = this.#adapted.get(part) ?? new WeakMap<SetFacts, CompiledRuleSet>()
    this.#adapted.set(part, known)
    const adapted = known.get(declared) ?? adaptedTo(part, declared)
    known.set(declared, adapted)
    return adapted
  }
}

function variantFor({ all, byRole, bySubject }: Variants, { by }: SetFacts, caller: AnyCaller) {
  const subjects = subjectsOf(by, caller)
  const exact = bySubject.size === 0 ? undefined : subjects.map((subject) => bySubject.get(subject)).find(Boolean)
  const role = roleOf(caller)
  return exact ?? (role === undefined ? undefined : byRole.get(role)) ?? all
}

const roleOf = (caller: AnyCaller): string | undefined => ('address' in caller ? caller.role : undefined)

/** The subjects by which the call can be overridden, the narrowest first; none where a set counts everybody or an
 *  argument together. */
function subjectsOf(by: SetFacts['by'], caller: AnyCaller): readonly string[] {
  const own = typeof by === 'string' ? by : by.per
  if (own === null || own === 'site') return []
  const total = totalSubjectOf(own, caller)
  return total === null ? [subjectOf(own, caller)] : [subjectOf(own, caller), total]
}

function adaptedTo<S extends CompiledRuleSet>(part: S, declared: SetFacts): S {
  const { cost, count } = declared
  const { facts, total, network } = part
  return {
    ...part,
    facts: { ...facts, cost, count },
    total: total && adaptedTo(total, declared),
    network: network && adaptedTo(network, declared),
  }
}
