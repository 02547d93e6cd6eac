import { KnownKey } from './known-keys.ts'
import { calendarBoundaries } from './rules/calendar.ts'
import type { Algorithm, CompiledRuleSet, FixedWindow, Leases, RuleOf } from './rules/compiled.ts'
import type { Charge } from './store.ts'

/** What differs from call to call in the charges of one set. */
export interface Moment {
  /** Milliseconds since 1970, by the machine's date. */
  readonly now: number
  /** Milliseconds by which the clock of the in-process store is ahead of `now`; 0 for a store that uses the date. */
  readonly aheadMs: number
  /** Makes a unique name for the call's lease; only called for sets that limit concurrent calls. */
  readonly lease: () => string
}

/** Returns a charge of one permit under a key as it is spelled, whoever it counts. */
export function chargeOfKey(set: CompiledRuleSet, key: string, moment: Moment): Charge {
  return chargeOf(set, new KnownKey(key), 1, moment)
}

/** Returns a charge of permits of one set under one key, with what the moment decides: leases, and the bounds of calendar windows. */
export function chargeOf(set: CompiledRuleSet, known: KnownKey, cost: number, moment: Moment): Charge {
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
