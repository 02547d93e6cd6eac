import type { CountBy, Mode, OnStoreFailure, Unit } from '../rule-set.ts'
import type { Calendar } from './calendar.ts'

/** Every algorithm; each has a file of its name in lua/ and a ledger in algorithms/. */
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

/** What every checked rule has. */
export interface BaseRule {
  /** The name that clients see: 'download-1m'. */
  readonly policy: string
  /** The rule in words: '100 per minute'. */
  readonly words: string
  /** Permits in a window; of a bucket, what it holds. */
  readonly limit: number
  /** Milliseconds; of a bucket, what a full one takes to empty, rounded up. */
  readonly windowMs: number
  /** Milliseconds that a subject stays refused once it was; 0 for no longer than it must. */
  readonly blockMs: number
}

/** Windows side by side. */
export interface FixedWindow extends BaseRule {
  /** How the calendar cuts time; null where it does not. */
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
  /** Of a bucket that paces: how long a call's turn may be away, in milliseconds; -1 where calls do not queue. */
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

/** An argument of the call, alone or of each subject. */
export interface InputArgument {
  readonly input: string
  readonly per: 'subject' | null
}

/** What a set says of all its rules. */
export interface SetFacts {
  readonly name: string
  readonly by: CountBy | InputArgument
  readonly unit: Unit
  /** Permits of one call, or what its input makes them; null when its caller says. */
  readonly cost: number | ((input: unknown) => number) | null
  readonly count: 'all' | 'failures'
  readonly mode: Mode
  /** Milliseconds that a call waits for its permit before it is refused; 0 refuses at once. */
  readonly waitMs: number
  readonly scope: 'cluster' | 'instance'
  readonly onStoreFailure: OnStoreFailure
}

/** A set's rules of one algorithm, in the order of their windows: what shares a key. */
export interface SetOf<A extends Algorithm> {
  readonly algorithm: A
  readonly rules: readonly RuleOf[A][]
  /** The end of its keys: see shape.ts. */
  readonly shape: string
  readonly facts: SetFacts
  /** What holds all addresses of a shared account together; null for a set that does not count shared accounts by
   *  address. */
  readonly total: SetOf<A> | null
}

/** A checked rule set, or that part of one which has one algorithm. */
export type CompiledRuleSet<A extends Algorithm = Algorithm> = { [K in A]: SetOf<K> }[A]

/** Whether a call's input must be there, parsed, before the sets can be charged. */
export function usesInput(sets: readonly CompiledRuleSet[]): boolean {
  return sets.some(needsInput)
}

/** The sets that can be charged without the call's input: what an input that does not parse still costs. */
export function withoutInput(sets: readonly CompiledRuleSet[]): readonly CompiledRuleSet[] {
  return sets.filter((set) => !needsInput(set))
}

function needsInput({ facts }: CompiledRuleSet): boolean {
  return typeof facts.by === 'object' || typeof facts.cost === 'function'
}
