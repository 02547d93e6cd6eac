import { KnownKey, KnownKeys } from './known-keys.ts'
import type { CountBy } from './rule-set.ts'
import { calendarBoundaries } from './rules/calendar.ts'
import type {
  Algorithm,
  BaseRule,
  CompiledRuleSet,
  FixedWindow,
  InputArgument,
  Leases,
  RuleOf,
  SetFacts,
} from './rules/compiled.ts'
import { distinctValues, valueAt } from './rules/input-path.ts'
import type { Charge } from './store.ts'
import { type AnyCaller, digest, networkOf, plainSubjectOf, safe, subjectOf, totalSubjectOf } from './subject.ts'

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

/** What differs from call to call in the charges of one set. */
export interface Moment {
  /** Milliseconds since 1970, by the machine's date. */
  readonly now: number
  /** Milliseconds by which the clock of the in-process store is ahead of `now`; 0 for a store that uses the date. */
  readonly aheadMs: number
  /** Makes a unique name for the call's lease; only called for sets that limit concurrent calls. */
  readonly lease: () => string
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
    charges[next + 1] = chargeOf(set.network, new KnownKey(networkKeyOf(set.network, 'site', caller)), cost, moment)
    return next + 2
  }
  const plain = plainArgumentOf(by, request.input)
  if (plain !== null) {
    charges[next] = chargeOf(set, naming(knownArguments.get(set, plain, argumentKeyOf), plain), cost, moment)
    const { network } = set
    if (network === null) return next + 1
    const known = knownArguments.get(network, `${networkOf(caller)} ${plain}`, networkArgumentKeyOf)
    charges[next + 1] = chargeOf(network, naming(known, plain), cost, moment)
    return next + 2
  }
  return addCounters(charges, next, argumentCounters(set, by, request), cost, moment)
}

function addCounters(charges: Charge[], next: number, counters: Counter[], cost: number, moment: Moment): number {
  for (const [index, { part, key, argument }] of counters.entries())
    charges[next + index] = chargeOf(part, new KnownKey(key, argument), cost, moment)
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

/** A set, or what is compiled along with it, with the key under which it counts. */
interface Counter {
  readonly part: CompiledRuleSet
  readonly key: string
  /** The value of the argument that it counts; null for none, or for a long one. */
  readonly argument?: string | null
}

/** Keys of longer argument texts, in characters, are not cached: callers may send anything. */
const LONGEST_KNOWN = 64

/** The argument, where it is a single short text and counted for all callers together; null for anything else. */
function plainArgumentOf({ input: path, per }: InputArgument, input: unknown): string | null {
  if (per !== null) return null
  const value = valueAt(input, path)
  return typeof value === 'string' && value.length <= LONGEST_KNOWN ? value : null
}

/** Notes what a key counts, for those who read the statistics. */
function naming(known: KnownKey, argument: string): KnownKey {
  if (known.argument === null) known.argument = argument
  return known
}

function argumentKeyOf(set: CompiledRuleSet, plain: string): string {
  const { by } = set.facts
  if (typeof by === 'string') throw new TypeError(`${set.facts.name} counts no argument`)
  const [text] = distinctValues(plain)
  return keyOf(set, `${by.input}=${digest(`${by.input}=${text}`)}`)
}

/** `plain`: the network and the argument. A network contains no space. */
function networkArgumentKeyOf(set: CompiledRuleSet, plain: string): string {
  const end = plain.indexOf(' ')
  const { by } = set.facts
  if (typeof by === 'string') throw new TypeError(`${set.facts.name} counts no argument`)
  const [text] = distinctValues(plain.slice(end + 1))
  return keyOf(set, `${by.input}=${digest(`${by.input}=${text}`)}`, `${plain.slice(0, end)}:`)
}

/** In the slot of what all callers share, so that both are taken in one step. */
function networkKeyOf(network: CompiledRuleSet, shared: string, caller: AnyCaller, argument = ''): string {
  return keyOf(network, shared, `${argument}${networkOf(caller)}:`)
}

function argumentCounters(set: CompiledRuleSet, by: InputArgument, { caller, input }: LimitRequest): Counter[] {
  const texts = distinctValues(valueAt(input, by.input))
  // Distinct once more: lone surrogates are all encoded alike in UTF-8, and so have the same digest.
  const named = new Map(texts.map((text) => [digest(`${by.input}=${text}`), shortArgument(text)]))
  const values = [...named.keys()]
  if (by.per === null) {
    return [...named].flatMap(([value, argument]) =>
      countersOf(set, `${by.input}=${value}`, caller).map((counter) => ({ ...counter, argument })),
    )
  }
  const own = subjectOf(by.per, caller)
  const counters = [...named].map(([value, argument]) => ({ part: set, key: keyOf(set, own, `${value}:`), argument }))
  const { total } = set
  const all = total && totalSubjectOf(by.per, caller)
  if (!total || !all) return counters
  return [...counters, ...values.flatMap((value) => countersOf(total, all, caller, `${value}:`))]
}

/** The value of a text that `distinctValues` has made, without its type; null for a long one. */
function shortArgument(text: string): string | null {
  const value = text.slice(text.indexOf(':') + 1)
  return value.length <= LONGEST_KNOWN ? value : null
}

/** A shared count, and the caller's network's part of it. */
function countersOf(set: CompiledRuleSet, shared: string, caller: AnyCaller, argument = ''): Counter[] {
  const own = { part: set, key: keyOf(set, shared, argument) }
  const { network } = set
  return network ? [own, { part: network, key: networkKeyOf(network, shared, caller, argument) }] : [own]
}

const knownKeys = new KnownKeys()
/** Kept apart from subjects, so that a caller who keeps sending new arguments evicts no subject's key. */
const knownArguments = new KnownKeys()

function subjectKeyOf(set: CompiledRuleSet, by: CountBy, caller: AnyCaller): KnownKey {
  const plain = plainSubjectOf(by, caller)
  if (plain === null) return new KnownKey(keyOf(set, subjectOf(by, caller)))
  return knownKeys.get(set, plain, plainKeyOf)
}

function plainKeyOf(set: CompiledRuleSet, plain: string): string {
  return keyOf(set, safe(plain))
}

function keyOf({ facts, shape }: CompiledRuleSet, subject: string, argument = ''): string {
  return `RATE:LIMIT:{${subject}}:${facts.name}:${argument}${shape}`
}

function costOf(facts: SetFacts, { cost = 1, bytes, input }: LimitRequest): number {
  const own = typeof facts.cost === 'function' ? facts.cost(input) : plainCost(facts.cost, facts.unit, cost, bytes)
  if (own === undefined || !Number.isSafeInteger(own) || own < 1) throw new InvalidCost(own, facts.unit)
  return own
}

function plainCost(cost: number | null, unit: SetFacts['unit'], calls: number, bytes: number | undefined) {
  return unit === 'bytes' ? (cost ?? bytes) : (cost ?? 1) * calls
}

/** Returns a charge of one permit under a key as it is spelled, whoever it counts. */
export function chargeOfKey(set: CompiledRuleSet, key: string, moment: Moment): Charge {
  return chargeOf(set, new KnownKey(key), 1, moment)
}

function chargeOf(set: CompiledRuleSet, known: KnownKey, cost: number, moment: Moment): Charge {
  switch (set.algorithm) {
    case 'fixed-window':
      return charging(set, known, cost, set.rules.some(isCalendar) ? cutBy(set.rules, moment) : set.rules)
    case 'concurrency':
      return charging(set, known, cost, leasesFor(set.rules, moment))
    default:
      return charging(set, known, cost)
  }
}

/** Makes every charge, so that all have the same hidden class in V8 and are fast to read. */
function charging<A extends Algorithm>(
  set: CompiledRuleSet<A>,
  known: KnownKey,
  cost: number,
  rules: readonly RuleOf[A][] = set.rules,
): Charge<A> {
  const { algorithm, facts } = set
  return { algorithm, rules, facts, key: known.key, known, cost }
}

function leasesFor(rules: readonly Leases[], { lease }: Moment): readonly Leases[] {
  return rules.map((rule) => ({ ...rule, lease: lease() }))
}

function isCalendar({ calendar }: FixedWindow): boolean {
  return calendar !== null
}

/** The rules with the calendar's boundaries around this moment filled in. */
function cutBy(rules: readonly FixedWindow[], { now, aheadMs }: Moment): readonly FixedWindow[] {
  return rules.map((rule) => {
    if (!rule.calendar) return rule
    return { ...rule, boundaries: calendarBoundaries(rule.calendar, now).map((instant) => instant + aheadMs) }
  })
}
