import { declaredName } from '#format/rule-set-name.ts'
import type { Moment } from './charge.ts'
import type { LimitRequest } from './charges.ts'
import { type CompiledRuleSet, type OverrideTarget, type SetFacts, withoutInput } from './rules/compiled.ts'
import type { Charge } from './store.ts'
import { type AnyCaller, digest, subjectOf, totalSubjectOf } from './subject.ts'

/** Replaces a declared rule set at run time, for all callers, for a role or for one subject. */
export interface Override {
  /** The name of the replaced set; it is replaced wherever a set of that name is declared. */
  readonly ruleSet: string
  /** The only procedure or route where it is replaced; its calls then count by themselves. Absent for all of them. */
  readonly procedure?: string | undefined
  readonly target: OverrideTarget
  /** Its parts, compiled under the same name, or under `nameFor` of its procedure. */
  readonly sets: readonly CompiledRuleSet[]
  /** What it says of how a call is charged, in place of what each declaration says. */
  readonly charging?: Partial<Charging>
  /** Until when it refuses every call, in milliseconds since 1970. */
  readonly blockedUntil?: number | undefined
}

/** How a call is charged, which each declaration of a set may say for itself. */
export type Charging = Pick<SetFacts, 'cost' | 'count'>

/** A rule set that a procedure or route gets at run time, in addition to those it declares. */
export interface AddedSet {
  readonly procedure: string
  readonly sets: readonly CompiledRuleSet[]
}

/** Rules in trial: charged in shadow mode with every call of a set, in all procedures that share it. */
export interface Trial {
  readonly ruleSet: string
  /** Its parts, with the same `trial` in their facts. */
  readonly sets: readonly CompiledRuleSet[]
}

/** Returns the name under which one procedure counts a shared set by itself. */
export const nameFor = (ruleSet: string, procedure: string): string => `${ruleSet}@${procedure}`

/** Returns the name under which rules count that are tried beside those of a set. */
export const trialName = (ruleSet: string): string => `${ruleSet}-trial`

/** The overrides of one rule set, in one procedure or wherever it is declared. */
interface Variants {
  all: Override | null
  readonly byRole: Map<string, Override>
  readonly bySubject: Map<string, Override>
}

interface VariantsOfSet {
  readonly everywhere: Variants
  readonly byProcedure: Map<string, Variants>
}

/** The overrides in force, and the sets that were added. Declared sets are never changed themselves. What a key has counted
 *  survives an override: a key names the algorithm and the windows, but no limit. */
export class Overrides {
  #variants: ReadonlyMap<string, VariantsOfSet> = new Map()
  #added: ReadonlyMap<string, readonly CompiledRuleSet[]> = new Map()
  #trials: ReadonlyMap<string, Trial> = new Map()
  /** The overrides that block the value of an argument, by its set and digest. */
  #blocked: ReadonlyMap<string, Override> = new Map()
  /** Each part of an override combined with the cost and `count` of each declaration that it replaces; made once. */
  #adapted = new WeakMap<CompiledRuleSet, WeakMap<SetFacts, CompiledRuleSet>>()

  /** Replaces everything. */
  replace(overrides: readonly Override[], added: readonly AddedSet[] = [], trials: readonly Trial[] = []): void {
    const variants = new Map<string, VariantsOfSet>()
    for (const override of overrides) {
      const ofSet = variants.get(override.ruleSet) ?? { everywhere: noVariants(), byProcedure: new Map() }
      variants.set(override.ruleSet, ofSet)
      addVariant(ofSet, override)
    }
    const sets = Map.groupBy(added, ({ procedure }) => procedure)
    this.#variants = variants
    this.#blocked = new Map(overrides.flatMap((override) => blockedKeys(override).map((key) => [key, override])))
    this.#trials = new Map(trials.map((trial) => [trial.ruleSet, trial]))
    this.#added = new Map([...sets].map(([procedure, all]) => [procedure, all.flatMap((each) => each.sets)]))
    this.#adapted = new WeakMap()
  }

  /** The sets that were added to a procedure or route; undefined for none. */
  addedTo(procedure: string): readonly CompiledRuleSet[] | undefined {
    return this.#added.get(procedure)
  }

  /** The requests with added sets and overrides applied. An override of a procedure wins over those of its whole set, and
   *  among either the most specific: a subject's, then a role's, then that for all. */
  inForce(requests: readonly LimitRequest[]): readonly LimitRequest[] {
    if (this.#variants.size === 0 && this.#added.size === 0 && this.#trials.size === 0) return requests
    return requests.map((request) => {
      const all = this.#withAdded(request)
      const sets = this.#withTrials(this.#replaced(all, request.caller), all)
      return sets === request.sets ? request : { ...request, sets }
    })
  }

  /** The charges, with the blocks of the values that they count. */
  withBlocks(charges: readonly Charge[], moment: Moment): readonly Charge[] {
    if (this.#blocked.size === 0) return charges
    return charges.map((charge) => {
      const { facts } = charge
      const [, value] = DIGEST.exec(charge.key) ?? []
      const { target, blockedUntil } = this.#blocked.get(`${declaredName(facts.name)} ${value}`) ?? {}
      if (!target || !blockedUntil || blockedUntil <= Math.max(moment.now, facts.blockedUntil ?? 0)) return charge
      return { ...charge, facts: { ...facts, override: target, blockedUntil } }
    })
  }

  /** Without an input, arguments cannot be counted: it was not valid, and the procedure's parser refuses it. */
  #withAdded({ sets, procedure, input }: LimitRequest): readonly CompiledRuleSet[] {
    const added = procedure === undefined ? undefined : this.#added.get(procedure)
    if (!added) return sets
    return [...sets, ...(input === undefined ? withoutInput(added) : added)]
  }

  /** The rules in trial of the request's sets, each once, whatever its set is replaced by. */
  #withTrials(sets: readonly CompiledRuleSet[], declared: readonly CompiledRuleSet[]): readonly CompiledRuleSet[] {
    if (!declared.some(({ facts }) => this.#trials.has(facts.name))) return sets
    const tried = new Map(declared.map(({ facts }) => [facts.name, facts]))
    return [
      ...sets,
      ...[...tried].flatMap(([name, facts]) => {
        return (this.#trials.get(name)?.sets ?? []).map((part) => this.#adapt(part, facts, { target: null }))
      }),
    ]
  }

  #replaced(sets: readonly CompiledRuleSet[], caller: AnyCaller): readonly CompiledRuleSet[] {
    if (!sets.some(({ facts }) => this.#variants.has(facts.name))) return sets
    const replaced = new Set<string>()
    return sets.flatMap((set) => {
      const override = this.#find(set.facts, caller)
      if (!override) return set
      const { name } = set.facts
      // A set of several algorithms is compiled to several parts: the first is replaced by the override, the others go.
      if (replaced.has(name)) return []
      replaced.add(name)
      return override.sets.map((part) => this.#adapt(part, set.facts, override))
    })
  }

  #find({ name, by, declaredBy }: SetFacts, caller: AnyCaller): Override | null {
    const ofSet = this.#variants.get(name)
    if (!ofSet) return null
    const own = ofSet.byProcedure.get(declaredBy)
    return (own && findVariant(own, by, caller)) ?? findVariant(ofSet.everywhere, by, caller)
  }

  /** Keeps the cost and `count` of each declaration, unless the override says them. */
  #adapt(
    part: CompiledRuleSet,
    declared: SetFacts,
    {
      charging,
      target,
      blockedUntil,
    }: Pick<Override, 'charging' | 'blockedUntil'> & {
      readonly target: OverrideTarget | null
    },
  ): CompiledRuleSet {
    const known = this.#adapted.get(part) ?? new WeakMap<SetFacts, CompiledRuleSet>()
    this.#adapted.set(part, known)
    const { cost, count, declaredBy } = declared
    const facts = { cost, count, ...charging, declaredBy, override: target, ...(blockedUntil && { blockedUntil }) }
    const adapted = known.get(declared) ?? withFacts(part, facts)
    known.set(declared, adapted)
    return adapted
  }
}

/** The digest of an argument in a key, in or behind its braces; not that of a subject with a name. */
const DIGEST = /[=:](#[\w-]{22})/

/** The set and the digests of a value, which may have been sent as any scalar that reads like it. */
function blockedKeys({ ruleSet, target, sets: [set] }: Override): readonly string[] {
  const by = set?.facts.by
  if (typeof target !== 'object' || !('argument' in target) || typeof by !== 'object') return []
  const types = ['string', 'number', 'boolean', 'bigint']
  return types.map((type) => `${ruleSet} ${digest(`${by.input}=${type}:${target.argument}`)}`)
}

const noVariants = (): Variants => ({ all: null, byRole: new Map(), bySubject: new Map() })

function addVariant({ everywhere, byProcedure }: VariantsOfSet, override: Override): void {
  const { procedure, target } = override
  const variants = procedure === undefined ? everywhere : (byProcedure.get(procedure) ?? noVariants())
  if (procedure !== undefined) byProcedure.set(procedure, variants)
  if (target === 'all') variants.all = override
  else if ('argument' in target) return
  else if ('role' in target) variants.byRole.set(target.role, override)
  else variants.bySubject.set(target.subject, override)
}

function findVariant({ all, byRole, bySubject }: Variants, by: SetFacts['by'], caller: AnyCaller): Override | null {
  if (bySubject.size > 0) {
    for (const subject of subjectsOf(by, caller)) {
      const override = bySubject.get(subject)
      if (override) return override
    }
  }
  const role = roleOf(caller)
  return (role === undefined ? null : byRole.get(role)) ?? all
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

/** The set with other facts, and so is what is compiled along with it. */
export function withFacts<S extends CompiledRuleSet>(part: S, changed: Partial<SetFacts>): S {
  const { facts, total, network } = part
  return {
    ...part,
    facts: { ...facts, ...changed },
    total: total && withFacts(total, changed),
    network: network && withFacts(network, changed),
  }
}
