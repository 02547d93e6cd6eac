import type { CompiledRuleSet } from './rule-set.ts'
import type { Charge } from './store.ts'
import { type Caller, type NamedSubject, subjectOf, totalSubjectOf } from './subject.ts'

/** What one caller takes: `cost` permits, 1 by default, of every rule of every set. */
export interface LimitRequest {
  readonly sets: readonly CompiledRuleSet[]
  readonly caller: Caller | NamedSubject
  readonly cost?: number
}

/** Everybody who shares an account counts by address; all its addresses together may use this many times a set's limits. */
export const SHARED_TOTAL_FACTOR = 10

/** A call that no wait could let pass; a bug of whoever declared limit or cost. */
export class CostAboveLimit extends Error {
  override readonly name = 'CostAboveLimit'

  constructor(policy: string, cost: number, limit: number) {
    super(`a cost of ${cost} can never pass the limit of ${limit} of ${policy}`)
  }
}

/** The charges of a call. Throws CostAboveLimit, RangeError for a cost that is no whole number of at least 1, and Error
 *  for two requests that charge the same key. */
export function chargesOf(requests: readonly LimitRequest[]): readonly Charge[] {
  const charges = requests.flatMap(({ sets, caller, cost = 1 }) => {
    if (!Number.isSafeInteger(cost) || cost < 1)
      throw new RangeError(`a cost of ${cost} is no whole number of at least 1`)
    return sets.flatMap((set) => chargesOfSet(set, caller, cost))
  })
  const keys = new Set(charges.map((charge) => charge.key))
  if (keys.size !== charges.length) throw new Error('one call charges the same rule set twice for the same subject')
  return charges
}

function chargesOfSet(set: CompiledRuleSet, caller: Caller | NamedSubject, cost: number): Charge[] {
  const over = set.rules.find((rule) => cost > rule.limit)
  if (over) throw new CostAboveLimit(over.policy, cost, over.limit)
  const charge = chargeOf(set, subjectOf(set.by, caller), cost)
  const total = totalSubjectOf(set.by, caller)
  return total === null ? [charge] : [charge, chargeOf(totalOf(set), total, cost)]
}

function chargeOf(set: CompiledRuleSet, subject: string, cost: number): Charge {
  const { name: ruleSet, algorithm, rules, onStoreFailure } = set
  return { key: `RATE:LIMIT:{${subject}}:${ruleSet}:${set.shape}`, ruleSet, algorithm, rules, cost, onStoreFailure }
}

/** 'download' with 'download-1m' becomes 'download-total' with 'download-total-1m'. */
function totalOf(set: CompiledRuleSet): CompiledRuleSet {
  const name = `${set.name}-total`
  const rules = set.rules.map(({ policy, limit, windowMs }) => ({
    policy: `${name}${policy.slice(set.name.length)}`,
    limit: limit * SHARED_TOTAL_FACTOR,
    windowMs,
  }))
  return { ...set, name, rules }
}
