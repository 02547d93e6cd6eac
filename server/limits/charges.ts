import { calendarBoundaries } from './rules/calendar.ts'
import type { CompiledRule, CompiledRuleSet, SetFacts } from './rules/compiled.ts'
import type { Charge } from './stores/store.ts'
import { type Caller, type NamedSubject, subjectOf, totalSubjectOf } from './subject.ts'

/** What one caller takes of every rule of every set. */
export interface LimitRequest {
  readonly sets: readonly CompiledRuleSet[]
  readonly caller: Caller | NamedSubject
  /** Permits that sets take which count calls and do not say themselves; 1 by default. */
  readonly cost?: number
  /** What sets take that count bytes. */
  readonly bytes?: number
}

/** A call that no wait could let pass; a bug of whoever declared limit or cost. */
export class CostAboveLimit extends Error {
  override readonly name = 'CostAboveLimit'

  constructor(policy: string, cost: number, limit: number) {
    super(`a cost of ${cost} can never pass the limit of ${limit} of ${policy}`)
  }
}

/** What of a charge belongs to its call alone. */
export interface Moment {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Names the call among those under way; unlike any other's. */
  readonly lease: string
}

/** The charges of a call. Throws CostAboveLimit, RangeError for a cost that is no whole number of at least 1, and Error
 *  for two requests that charge the same key. */
export function chargesOf(requests: readonly LimitRequest[], moment: Moment): readonly Charge[] {
  const charges = requests.flatMap((request) => request.sets.flatMap((set) => chargesOfSet(set, request, moment)))
  const keys = new Set(charges.map((charge) => charge.key))
  if (keys.size !== charges.length) throw new Error('one call charges the same rule set twice for the same subject')
  return charges
}

function chargesOfSet(set: CompiledRuleSet, request: LimitRequest, moment: Moment): Charge[] {
  const { by } = set.facts
  const cost = set.algorithm === 'concurrency' ? 1 : costOf(set.facts, request)
  const over = set.rules.find((rule: CompiledRule) => cost > rule.limit)
  if (over) throw new CostAboveLimit(over.policy, cost, over.limit)
  const charge = chargeOf(set, subjectOf(by, request.caller), cost, moment)
  const total = set.total && totalSubjectOf(by, request.caller)
  return set.total && total ? [charge, chargeOf(set.total, total, cost, moment)] : [charge]
}

function costOf(facts: SetFacts, { cost = 1, bytes }: LimitRequest): number {
  const own = facts.cost ?? (facts.unit === 'bytes' ? bytes : cost)
  if (own === undefined || !Number.isSafeInteger(own) || own < 1)
    throw new RangeError(`a cost of ${own} ${facts.unit} is no whole number of at least 1`)
  return own
}

function chargeOf(set: CompiledRuleSet, subject: string, cost: number, { now, lease }: Moment): Charge {
  const { shape, facts } = set
  const key = `RATE:LIMIT:{${subject}}:${facts.name}:${shape}`
  switch (set.algorithm) {
    case 'fixed-window': {
      const rules = set.rules.map((rule) =>
        rule.calendar ? { ...rule, boundaries: calendarBoundaries(rule.calendar, now) } : rule,
      )
      return { key, algorithm: set.algorithm, rules, cost, facts }
    }
    case 'concurrency': {
      const rules = set.rules.map((rule) => ({ ...rule, lease }))
      return { key, algorithm: set.algorithm, rules, cost, facts }
    }
    default:
      return { ...set, key, cost }
  }
}
