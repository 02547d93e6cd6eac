import type { Decision } from '../decision.ts'
import type { CompiledRule, CompiledRuleSet, SetFacts } from '../rules/compiled.ts'
import type { Charge } from '../store.ts'

interface Counts {
  /** Calls that the rule let pass, with or without a wait. */
  passed: number
  /** Calls that it refused: of several rules, the one with the longest wait. */
  refused: number
  /** Calls that waited for it, whatever became of them, and how long in all. */
  waited: number
  waitedMs: number
  /** Calls that ended before they were decided. */
  abandoned: number
  /** Calls that passed, and that it would have refused if it were not in shadow mode. */
  shadowRefused: number
  /** Calls that passed for a cheaper answer. */
  degraded: number
  /** Calls of those who are not held to limits. */
  free: number
  /** Calls decided in process, because the store failed. */
  decidedLocally: number
  /** Calls decided by `onStoreFailure` alone. */
  decidedByPolicy: number
}

/** What one rule has decided for one procedure, since the process began. */
export interface TallyRow extends Readonly<Counts> {
  readonly label: string
  readonly ruleSet: string
  readonly policy: string
}

/** A call at its end. */
export interface Decided {
  readonly decision: Decision
  /** The rule that it waited for. */
  readonly waitedFor: string | null
}

/** Counts in this process what was decided, by procedure and rule. Both are declared in code, so they are few. */
export class Tally {
  readonly #rows = new Map<string, Map<string, Counts & { readonly ruleSet: string }>>()

  /** Counts a call under `label`, or each of its rules under its rule set. */
  count(label: string | undefined, charges: readonly Charge[], { decision, waitedFor }: Decided): void {
    this.#each(label, charges, (counts, facts, policy) => {
      if (policy === waitedFor) {
        counts.waited += 1
        counts.waitedMs += decision.waitedMs
      }
      if (decision.decidedBy === 'local') counts.decidedLocally += 1
      if (decision.decidedBy === 'policy') counts.decidedByPolicy += 1
      if (policy === decision.refusedBy?.policy) counts.refused += 1
      if (!decision.allowed) return
      if (policy === decision.shadowedBy?.policy) counts.shadowRefused += 1
      else if (policy === decision.degradedBy?.policy) counts.degraded += 1
      else if (facts.mode !== 'shadow') counts.passed += 1
    })
  }

  /** Counts a call that ended while it waited. */
  abandon(label: string | undefined, charges: readonly Charge[]): void {
    this.#each(label, charges, (counts) => {
      counts.abandoned += 1
    })
  }

  free(label: string | undefined, sets: readonly CompiledRuleSet[]): void {
    this.#each(label, sets, (counts) => {
      counts.free += 1
    })
  }

  /** By label, then by policy. */
  snapshot(): readonly TallyRow[] {
    return sorted(this.#rows).flatMap(([label, rows]) =>
      sorted(rows).map(([policy, row]) => ({ label, policy, ...row })),
    )
  }

  #each(
    label: string | undefined,
    parts: readonly RuleSetPart[],
    change: (counts: Counts, facts: SetFacts, policy: string) => void,
  ): void {
    for (const { facts, rules } of parts) {
      for (const { policy } of rules) change(this.#countsOf(label ?? facts.name, facts, policy), facts, policy)
    }
  }

  #countsOf(label: string, { name }: SetFacts, policy: string): Counts {
    const known = this.#rows.get(label)?.get(policy)
    if (known) return known
    const row = { ruleSet: name, ...NOTHING_COUNTED }
    const rows = this.#rows.get(label) ?? new Map()
    this.#rows.set(label, rows.set(policy, row))
    return row
  }
}

/** A charge, or the set that it was made of. */
interface RuleSetPart {
  readonly facts: SetFacts
  readonly rules: readonly CompiledRule[]
}

const NOTHING_COUNTED: Readonly<Counts> = {
  passed: 0,
  refused: 0,
  waited: 0,
  waitedMs: 0,
  abandoned: 0,
  shadowRefused: 0,
  degraded: 0,
  free: 0,
  decidedLocally: 0,
  decidedByPolicy: 0,
}

function sorted<V>(map: ReadonlyMap<string, V>): readonly (readonly [string, V])[] {
  return [...map].toSorted(([a], [b]) => (a < b ? -1 : 1))
}
