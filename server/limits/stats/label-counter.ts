import type { DecidedCall } from '../permit.ts'
import type { CompiledRule, CompiledRuleSet, SetFacts } from '../rules/compiled.ts'
import type { Charge } from '../store.ts'
import { COUNT, COUNTS } from './count-order.ts'
import type { Counts } from './limiter-stats.ts'
import { RingWindow } from './ring-window.ts'

/** The seconds that `perSecond` is the mean of. */
export const RECENT_SECONDS = 5

/** What one rule has decided for one label. */
export interface RuleCounter {
  readonly ruleSet: string
  readonly policy: string
  readonly ring: RingWindow
}

/** More than any procedure has. Sets from overrides that are no longer in force are evicted. */
const KNOWN_SETS = 8

/** A charge, or the set that it was made from. */
export type ChargedSet = Pick<Charge | CompiledRuleSet, 'facts' | 'algorithm'> & {
  readonly rules: readonly CompiledRule[]
}

/** The outcomes of a label's calls. */
export const CALLS = { passed: 0, refused: 1 } as const

/** Whether a decision counts as a call of its label. Permits that a call takes after its first ones count `if-refused`,
 *  in place of the allowed call, or `never`: they are counted at their rules alone. */
export type CountsCall = 'always' | 'if-refused' | 'never'

/** Counts the outcomes of the calls of one label. */
export class LabelCounter {
  readonly label: string
  readonly calls = new RingWindow(2)
  readonly rules = new Map<string, RuleCounter>()
  /** The sets that were counted last, found without comparing names, with the counters of their rules in order. */
  readonly #known: (Pick<ChargedSet, 'facts' | 'algorithm'> & { readonly counters: readonly RuleCounter[] })[] = []
  #next = 0

  constructor(label: string) {
    this.label = label
  }

  /** Counts a decided call, once for all of its rules. */
  countCall(second: number, isAllowed: boolean, countsCall: CountsCall): void {
    if (countsCall === 'always') this.calls.add(second, isAllowed ? CALLS.passed : CALLS.refused)
    if (countsCall !== 'if-refused' || isAllowed) return
    this.calls.takeBack(CALLS.passed)
    this.calls.add(second, CALLS.refused)
  }

  /** The calls of each second: the mean of the last whole seconds. */
  perSecond(second: number): number {
    const recent = [CALLS.passed, CALLS.refused].flatMap((each) =>
      this.calls.seconds(second, each).slice(-RECENT_SECONDS),
    )
    return recent.reduce((sum, calls) => sum + calls, 0) / RECENT_SECONDS
  }

  /** Counts a decided call at each rule of one of its sets. */
  count(second: number, set: ChargedSet, { decision, waitedFor }: DecidedCall): void {
    const { allowed, refusedBy, shadowedBy, degradedBy, decidedBy, waitedMs } = decision
    for (const { policy, ring } of this.#countersOf(set)) {
      if (policy === waitedFor) {
        ring.add(second, COUNT.waited)
        ring.add(second, COUNT.waitedMs, waitedMs)
      }
      if (decidedBy !== 'store' && decidedBy !== 'block') ring.add(second, OTHER_DECIDERS[decidedBy])
      if (policy === refusedBy?.policy) ring.add(second, COUNT.refused)
      if (!allowed) continue
      if (policy === shadowedBy?.policy) ring.add(second, COUNT.shadowRefused)
      else if (policy === degradedBy?.policy) ring.add(second, COUNT.degraded)
      else if (set.facts.mode !== 'shadow') ring.add(second, COUNT.passed)
    }
  }

  /** Counts at each rule an outcome that all rules have in common. */
  countAll(second: number, set: ChargedSet, name: keyof Counts, by = 1): void {
    for (const { ring } of this.#countersOf(set)) ring.add(second, COUNT[name], by)
  }

  #countersOf({ facts, algorithm, rules }: ChargedSet): readonly RuleCounter[] {
    for (const known of this.#known) if (known.facts === facts && known.algorithm === algorithm) return known.counters
    const counters = rules.map(({ policy }) => this.#counter(facts, policy))
    this.#known[this.#next] = { facts, algorithm, counters }
    this.#next = (this.#next + 1) % KNOWN_SETS
    return counters
  }

  #counter({ name }: SetFacts, policy: string): RuleCounter {
    const counter = this.rules.get(policy) ?? { ruleSet: name, policy, ring: new RingWindow(COUNTS) }
    this.rules.set(policy, counter)
    return counter
  }
}

const OTHER_DECIDERS = {
  local: COUNT.decidedLocally,
  policy: COUNT.decidedByPolicy,
  cache: COUNT.decidedFromCache,
}
