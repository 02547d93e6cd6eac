import { chargeOf, type Moment } from './charge.ts'
import {
  argumentCounters,
  argumentKeyOf,
  type Counter,
  countersOf,
  networkArgumentKeyOf,
  networkKeyOf,
  plainArgumentOf,
  subjectKeyOf,
} from './keys.ts'
import type { BaseRule, CompiledRuleSet, SetFacts } from './rules/compiled.ts'
import type { Charge } from './store.ts'
import { type AnyCaller, totalSubjectOf } from './subject.ts'

/** A request for permits of every rule of every set, for one caller. */
export interface LimitRequest {
  readonly sets: readonly CompiledRuleSet[]
  readonly caller: AnyCaller
  /** How many calls it counts as, for sets that count calls and compute no cost; 1 by default. */
  readonly cost?: number
  /** Bytes for sets that count bytes and declare no cost of their own. Without it such a set throws InvalidCost. */
  readonly bytes?: number
  /** The call's parsed input, for sets that count an argument or compute their cost from it. */
  readonly input?: unknown
  /** The caller's own limits, by policy: each holds in place of a declared one that is higher. */
  readonly own?: OwnLimits | undefined
  /** The procedure or route that is called, whose added sets are charged too: in one request of a call only. */
  readonly procedure?: string | undefined
}

/** Lower limits of one caller, by policy ('share-1h'). They are part of no key, so the usage stays when they change; and of no
 *  compiled set, so callers may be many. A declared set that `own` may name has rules that count windows by a plain limit. */
export type OwnLimits = Readonly<Record<string, number>>

/** A cost above the limit of an enforcing set, which could never pass: a bug in the declaration of the limit or the
 *  cost. */
export class CostAboveLimit extends Error {
  override readonly name = 'CostAboveLimit'
  readonly limit: number

  constructor(policy: string, cost: number, limit: number) {
    super(`a cost of ${cost} can never pass the limit of ${limit} of ${policy}`)
    this.limit = limit
  }
}

/** A cost that is not a whole number of at least 1. */
export class InvalidCost extends RangeError {
  override readonly name = 'InvalidCost'

  constructor(cost: number | undefined, unit: string) {
    super(`a cost of ${cost} ${unit} is not a whole number of at least 1`)
  }
}

/** The charges of a call: one for each set of each request, or for each value where a set counts a list. Throws
 *  CostAboveLimit, InvalidCost, RangeError for too long a list, TypeError for an argument that cannot be counted,
 *  whatever a cost function throws, and Error when two requests charge the same key. */
export function chargesOf(requests: readonly LimitRequest[], moment: Moment): readonly Charge[] {
  const charges = roomFor(requests)
  let next = 0
  for (const request of requests)
    for (const set of request.sets) next = addCharges(charges, next, lowered(set, request.own), request, moment)
  // A set that counts an empty list has no charge.
  if (next < charges.length) charges.length = next
  if (next > 1) refuseTwins(charges)
  return charges
}

/** An array with room for one charge for each set, the usual number: an array that grows allocates more than it
 *  needs. */
function roomFor(requests: readonly LimitRequest[]): Charge[] {
  let sets = 0
  for (const request of requests) sets += request.sets.length
  return new Array<Charge>(sets)
}

/** Returns the set with the caller's own limits where they are lower. */
function lowered(set: CompiledRuleSet, own: OwnLimits | undefined): CompiledRuleSet {
  if (!own) return set
  const lower = <R extends BaseRule>(rule: R): R => {
    const limit = own[rule.policy]
    return limit === undefined || limit >= rule.limit ? rule : { ...rule, limit, parts: { ...rule.parts, limit } }
  }
  return set.algorithm === 'sliding-window-counter' ? { ...set, rules: set.rules.map(lower) } : set
}

/** Writes the charges of a set from index `next` on, and returns the next free index. */
function addCharges(
  charges: Charge[],
  next: number,
  set: CompiledRuleSet,
  request: LimitRequest,
  moment: Moment,
): number {
  const cost = set.algorithm === 'concurrency' ? 1 : costOf(set.facts, request)
  // Only enforcing sets refuse, and every limit is at least 1, so other costs need no check.
  if (cost > 1 && set.facts.mode === 'enforce') refuseAbove(cost, set)
  const { by } = set.facts
  const { caller } = request
  if (typeof by === 'string') {
    charges[next] = chargeOf(set, subjectKeyOf(set, by, caller), cost, moment)
    const all = set.total && totalSubjectOf(by, caller)
    if (set.total && all) return addCounters(charges, next + 1, countersOf(set.total, all, caller), cost, moment)
    if (set.network === null) return next + 1
    charges[next + 1] = chargeOf(set.network, networkKeyOf(set.network, 'site', caller), cost, moment)
    return next + 2
  }
  const plain = plainArgumentOf(by, request.input)
  if (plain !== null) {
    charges[next] = chargeOf(set, argumentKeyOf(set, plain), cost, moment)
    if (set.network === null) return next + 1
    charges[next + 1] = chargeOf(set.network, networkArgumentKeyOf(set.network, plain, caller), cost, moment)
    return next + 2
  }
  return addCounters(charges, next, argumentCounters(set, by, caller, request.input), cost, moment)
}

function addCounters(charges: Charge[], next: number, counters: Counter[], cost: number, moment: Moment): number {
  for (const [index, { part, key }] of counters.entries()) charges[next + index] = chargeOf(part, key, cost, moment)
  return next + counters.length
}

function refuseAbove(cost: number, { rules, network }: CompiledRuleSet): void {
  for (const { limit, policy } of rules) if (cost > limit) throw new CostAboveLimit(policy, cost, limit)
  if (network) refuseAbove(cost, network)
}

function refuseTwins(charges: readonly Charge[]): void {
  if (charges.length <= FEW ? hasTwins(charges) : new Set(charges.map(({ key }) => key)).size < charges.length)
    throw new Error('one call charges the same rule set twice for the same subject')
}

/** Up to this many keys are compared pairwise, which is cheaper than a Set; most calls have no more. */
const FEW = 8

function hasTwins(charges: readonly Charge[]): boolean {
  for (let one = 1; one < charges.length; one += 1)
    for (let other = 0; other < one; other += 1) if (charges[one]?.key === charges[other]?.key) return true
  return false
}

function costOf(facts: SetFacts, { cost = 1, bytes, input }: LimitRequest): number {
  const own = typeof facts.cost === 'function' ? facts.cost(input) : plainCost(facts.cost, facts.unit, cost, bytes)
  if (own === undefined || !Number.isSafeInteger(own) || own < 1) throw new InvalidCost(own, facts.unit)
  return own
}

function plainCost(cost: number | null, unit: SetFacts['unit'], calls: number, bytes: number | undefined) {
  return unit === 'bytes' ? (cost ?? bytes) : (cost ?? 1) * calls
}
