import type { RuleParts } from '#format/rules.ts'
import type { CountBy, Mode, OnStoreFailure, Unit } from '../rule-set.ts'
import type { Calendar } from './calendar.ts'

/** Every algorithm; each has a file of its name in lua/, and a ledger (algorithms/open-ledger.ts). */
export const ALGORITHMS = [
  'sliding-window-log',
  'fixed-window',
  'sliding-window-counter',
  'leaky-bucket',
  'token-bucket',
  'concurrency',
] as const

/** How a rule counts. */
export type Algorithm = (typeof ALGORITHMS)[number]

/** The properties of every checked rule. */
export interface BaseRule {
  /** The name that clients see: 'download-1m'. */
  readonly policy: string
  /** What it allows, to be put into words by `formatRule`. */
  readonly parts: RuleParts
  /** Permits in a window; for a bucket, its capacity. */
  readonly limit: number
  /** Milliseconds; for a bucket, the time in which a full one empties, rounded up. */
  readonly windowMs: number
  /** How long a refused subject stays blocked, in milliseconds; 0 for no longer than necessary. */
  readonly blockMs: number
}

/** Consecutive windows. */
export interface FixedWindow extends BaseRule {
  /** How the calendar divides time; null when it does not. */
  readonly calendar: Calendar | null
  /** Instants in milliseconds at which one window ends and the next begins, ascending. Before the first and after the last
   *  of them windows of `windowMs` lie side by side. None: a window begins with its first charge. */
  readonly boundaries: readonly number[]
}

/** Sub-windows of `windowMs / samples` each. */
export interface SampledWindow extends BaseRule {
  readonly samples: number
  /** The oldest sub-window counts whole, not by the part of it that lies in the window. */
  readonly isWhole: boolean
}

/** A bucket's level is counted in units, `scale` of which are a permit, so that `leak` of them, a whole number, go each
 *  millisecond: nothing is ever rounded. Twice the capacity stays an exact integer. */
export interface Bucket extends BaseRule {
  readonly leak: number
  readonly scale: number
}

export interface LeakyBucket extends Bucket {
  /** For a bucket that paces: how far ahead a call's turn may be, in milliseconds; -1 where calls do not queue. */
  readonly maxDelayMs: number
}

/** At most `limit` leases of `windowMs` at a time. */
export interface Leases extends BaseRule {
  /** Names the call's lease; empty until there is a call. */
  readonly lease: string
}

/** A checked rule by its algorithm. */
export interface RuleOf {
  readonly 'sliding-window-log': BaseRule
  readonly 'fixed-window': FixedWindow
  readonly 'sliding-window-counter': SampledWindow
  readonly 'leaky-bucket': LeakyBucket
  readonly 'token-bucket': Bucket
  readonly concurrency: Leases
}

export type CompiledRule = RuleOf[Algorithm]

/** An argument of the call, counted alone or for each subject. */
export interface InputArgument {
  readonly input: string
  readonly per: 'subject' | null
}

/** The calls that an override applies to. A subject is spelled as in its keys: a user's id, an address,
 *  or both (subject.ts). The value of an argument, in text as callers send it, can only be blocked. */
export type OverrideTarget =
  | 'all'
  | { readonly role: string }
  | { readonly subject: string }
  | { readonly argument: string }

/** What a set declares for all its rules. */
export interface SetFacts {
  readonly name: string
  /** The procedure or route that declares it; others may declare a set of the same name, and share its count. */
  readonly declaredBy: string
  readonly by: CountBy | InputArgument
  readonly unit: Unit
  /** Permits of one call, or the function that computes them from its input; null when the caller passes them. */
  readonly cost: number | ((input: unknown) => number) | null
  readonly count: 'all' | 'failures'
  readonly mode: Mode
  /** Permits beyond the cost of a call that turns out abusive; null for none. */
  readonly penalty: number | null
  /** Milliseconds that a call waits for its permit before it is refused; 0 refuses at once. */
  readonly waitMs: number
  readonly scope: 'cluster' | 'instance'
  readonly onStoreFailure: OnStoreFailure
  /** What the override is for that has put these rules in place of the declared ones; null for declared rules. */
  readonly override: OverrideTarget | null
  /** Until when the override refuses every call, in milliseconds since 1970; absent if it does not. */
  readonly blockedUntil?: number | undefined
  /** What these rules would have refused: present where they are tried beside those of another set. */
  readonly trial?: TrialCounts | undefined
}

/** What this process has counted of rules in trial. */
export interface TrialCounts {
  /** The set that they are tried beside. */
  readonly ruleSet: string
  /** Tells one version of the trial from the next. */
  readonly version: string
  /** When this process began to count, in milliseconds since 1970. */
  readonly since: number
  /** Allowed calls that the rules were asked about, and those of them that they would have refused. */
  asked: number
  refused: number
}

/** A set's rules of one algorithm, in the order of their windows: the rules that share a key. */
export interface SetOf<A extends Algorithm> {
  readonly algorithm: A
  readonly rules: readonly RuleOf[A][]
  /** The last part of its keys: see shape.ts. */
  readonly shape: string
  readonly facts: SetFacts
  /** The limit on all addresses of a shared account together; null for a set that does not count shared accounts by
   *  address. */
  readonly total: SetOf<A> | null
  /** What one network may use of this count, if all callers share it: charged along with it. Null for other sets. */
  readonly network: SetOf<A> | null
}

/** A checked rule set, or the part of one that has one algorithm. */
export type CompiledRuleSet<A extends Algorithm = Algorithm> = { [K in A]: SetOf<K> }[A]

/** Returns whether a set counts all callers together. */
export function countsTogether({ by }: Pick<SetFacts, 'by'>): boolean {
  return by === 'site' || (typeof by === 'object' && by.per === null)
}

/** Returns whether a call's parsed input is needed before the sets can be charged. */
export function usesInput(sets: readonly CompiledRuleSet[]): boolean {
  return sets.some(needsInput)
}

/** Returns the sets that can be charged without the call's input: they apply even to an input that does not parse. */
export function withoutInput(sets: readonly CompiledRuleSet[]): readonly CompiledRuleSet[] {
  return sets.filter((set) => !needsInput(set))
}

function needsInput({ facts }: CompiledRuleSet): boolean {
  return typeof facts.by === 'object' || typeof facts.cost === 'function'
}
