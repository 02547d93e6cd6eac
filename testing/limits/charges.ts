import type { RuleOf, SetFacts } from '#server/limits/rules/compiled.ts'
import type { Charge, ChargeOf } from '#server/limits/store.ts'

/** A test set's facts about its rules. */
export const plainFacts: SetFacts = {
  name: 'test',
  declaredBy: 'test',
  by: 'subject',
  unit: 'calls',
  cost: null,
  count: 'all',
  mode: 'enforce',
  waitMs: 0,
  scope: 'cluster',
  penalty: null,
  onStoreFailure: 'local',
  override: null,
}

/** Facts shared by all rules of a test. */
export function plainRule(limit: number, windowMs: number) {
  return { policy: `test-${windowMs}`, parts: { limit, window: windowMs }, limit, windowMs, blockMs: 0 }
}

/** A charge of the log, with rules as [limit, window in milliseconds]. */
export function charge(key: string, rules: readonly (readonly [number, number])[], cost = 1): Charge {
  return makeCharge(
    'sliding-window-log',
    key,
    rules.map(([limit, windowMs]) => plainRule(limit, windowMs)),
    cost,
  )
}

/** A charge of any algorithm. */
export function makeCharge<A extends Charge['algorithm']>(
  algorithm: A,
  key: string,
  rules: readonly RuleOf[A][],
  cost = 1,
): ChargeOf<A> {
  return { key, algorithm, rules, cost, facts: plainFacts }
}
