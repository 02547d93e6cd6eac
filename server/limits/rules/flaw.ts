/** A mistake in entered rules, for interfaces in any language. The message of an InvalidRuleSet is for developers. */
export interface RuleFlaw {
  readonly code: FlawCode
  /** `number` is the rule's place in its set, from 1; a flaw of the whole set has none. */
  readonly params: Readonly<Record<string, string | number>>
}

export type FlawCode =
  | 'rule-amount'
  | 'rule-below-cost'
  | 'rule-block'
  | 'rule-calendar-window'
  | 'rule-concurrency-of-bytes'
  | 'rule-duration'
  | 'rule-inexact'
  | 'rule-lease'
  | 'rule-samples'
  | 'rule-set-outage'
  | 'rule-set-wait'
  | 'rule-time-zone'
  | 'rule-time-zone-unused'
  | 'rule-uneven-samples'

const byField: Readonly<Record<string, FlawCode>> = {
  blockFor: 'rule-duration',
  burst: 'rule-amount',
  capacity: 'rule-amount',
  concurrent: 'rule-amount',
  lease: 'rule-lease',
  limit: 'rule-amount',
  onStoreFailure: 'rule-set-outage',
  samples: 'rule-samples',
  timeZone: 'rule-time-zone',
  wait: 'rule-set-wait',
  window: 'rule-duration',
}

/** Returns the flaw of a field whose value is not valid; null for fields that no form offers. */
export function flawOfField(field: string, unit: string): RuleFlaw | null {
  const code = byField[field]
  return code ? { code, params: { field, unit } } : null
}
