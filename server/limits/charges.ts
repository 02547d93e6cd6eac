import type { CountBy } from './rule-set.ts'
import { calendarBoundaries } from './rules/calendar.ts'
import type { CompiledRule, CompiledRuleSet, FixedWindow, SetFacts } from './rules/compiled.ts'
import { distinctValues, valueAt } from './rules/input-path.ts'
import type { Charge } from './store.ts'
import { type AnyCaller, digest, subjectOf, totalSubjectOf } from './subject.ts'

/** What one caller takes of every rule of every set. */
export interface LimitRequest {
  readonly sets: readonly CompiledRuleSet[]
  readonly caller: AnyCaller
  /** Permits that sets take which count calls and do not say themselves; 1 by default. */
  readonly cost?: number
  /** What sets take that count bytes. */
  readonly bytes?: number
  /** What the call was asked, parsed: for sets that count an argument, or have a cost by it. */
  readonly input?: unknown
}

/** A call that no wait could let pass; a bug of whoever declared limit or cost. */
export class CostAboveLimit extends Error {
  override readonly name = 'CostAboveLimit'

  constructor(policy: string, cost: number, limit: number) {
    super(`a cost of ${cost} can never pass the limit of ${limit} of ${policy}`)
  }
}

/** A cost that no call can have. */
export class InvalidCost extends RangeError {
  override readonly name = 'InvalidCost'

  constructor(cost: number | undefined, unit: string) {
    super(`a cost of ${cost} ${unit} is no whole number of at least 1`)
  }
}

/** What of a charge belongs to its call alone. */
export interface Moment {
  /** Milliseconds since 1970, by the machine's date. */
  readonly now: number
  /** Milliseconds by which the clock of what is counted in process is ahead of it; 0 for a store that keeps the date. */
  readonly aheadMs: number
  /** A name for the call among those under way, unlike any other's; asked for where it counts. */
  readonly lease: () => string
}

/** The charges of a call, by the sets of each request as they are. Throws CostAboveLimit, InvalidCost, RangeError for too long a list to count, TypeError for an
 *  argument that cannot be counted, whatever a cost function throws, and Error for two requests that charge the same key. */
export function chargesOf(requests: readonly LimitRequest[], moment: Moment): readonly Charge[] {
  const charges = requests.flatMap((request) => request.sets.flatMap((set) => chargesOfSet(set, request, moment)))
  if (charges.length > 1 && new Set(charges.map(({ key }) => key)).size !== charges.length)
    throw new Error('one call charges the same rule set twice for the same subject')
  return charges
}

function chargesOfSet(set: CompiledRuleSet, request: LimitRequest, moment: Moment): Charge[] {
  const cost = set.algorithm === 'concurrency' ? 1 : costOf(set.facts, request)
  const over = set.rules.find((rule: CompiledRule) => cost > rule.limit)
  if (over) throw new CostAboveLimit(over.policy, cost, over.limit)
  return countersOf(set, request).map(({ part, key }) =>
    chargeOf(part, `RATE:LIMIT:${key}:${part.shape}`, cost, moment),
  )
}

/** A set, or its total, with a key under which it counts a call, but for its ends. */
interface Counter {
  readonly part: CompiledRuleSet
  readonly key: string
}

function countersOf(set: CompiledRuleSet, { caller, input }: LimitRequest): Counter[] {
  const { name, by } = set.facts
  if (typeof by === 'string') return subjectCounters(set, by, caller)
  const texts = distinctValues(valueAt(input, by.input))
  // Distinct once more: halves of surrogate pairs, which UTF-8 does not have, all have one digest.
  const values = [...new Set(texts.map((value) => digest(`${by.input}=${value}`)))]
  if (by.per === null) return values.map((value) => ({ part: set, key: `{${by.input}=${value}}:${name}` }))
  return subjectCounters(set, by.per, caller).flatMap(({ part, key }) =>
    values.map((value) => ({ part, key: `${key}:${value}` })),
  )
}

function subjectCounters(set: CompiledRuleSet, by: CountBy, caller: AnyCaller): Counter[] {
  const own = { part: set, key: `{${subjectOf(by, caller)}}:${set.facts.name}` }
  const all = set.total && totalSubjectOf(by, caller)
  return set.total && all ? [own, { part: set.total, key: `{${all}}:${set.total.facts.name}` }] : [own]
}

function costOf(facts: SetFacts, { cost = 1, bytes, input }: LimitRequest): number {
  const byCaller = facts.unit === 'bytes' ? bytes : cost
  const own = typeof facts.cost === 'function' ? facts.cost(input) : (facts.cost ?? byCaller)
  if (own === undefined || !Number.isSafeInteger(own) || own < 1) throw new InvalidCost(own, facts.unit)
  return own
}

function chargeOf(set: CompiledRuleSet, key: string, cost: number, moment: Moment): Charge {
  const { facts } = set
  switch (set.algorithm) {
    case 'fixed-window': {
      const rules = set.rules.some(({ calendar }) => calendar)
        ? set.rules.map((rule) => cutBy(rule, moment))
        : set.rules
      return { key, algorithm: set.algorithm, rules, cost, facts }
    }
    case 'concurrency': {
      const rules = set.rules.map((rule) => ({ ...rule, lease: moment.lease() }))
      return { key, algorithm: set.algorithm, rules, cost, facts }
    }
    default:
      return { ...set, key, cost }
  }
}

/** A window whose borders the calendar sets, with those around this moment. */
function cutBy(rule: FixedWindow, { now, aheadMs }: Moment): FixedWindow {
  if (!rule.calendar) return rule
  return { ...rule, boundaries: calendarBoundaries(rule.calendar, now).map((instant) => instant + aheadMs) }
}
