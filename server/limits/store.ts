import type { KnownKey } from './known-keys.ts'
import type { Algorithm, RuleOf, SetFacts } from './rules/compiled.ts'

/** A request for `cost` permits of every rule of one key. No two charges of one operation have the same key. */
export interface ChargeOf<A extends Algorithm> {
  readonly key: string
  /** What this process has cached about the key; absent for keys that are seldom charged twice. */
  readonly known?: KnownKey
  readonly algorithm: A
  readonly rules: readonly RuleOf[A][]
  readonly cost: number
  readonly facts: SetFacts
}

export type Charge<A extends Algorithm = Algorithm> = { [K in A]: ChargeOf<K> }[A]

/** Whether a refusal of the charge begins a block. In shadow and degrade mode nothing is refused, so nothing is blocked, and
 *  a block that began in enforce mode has no effect. */
export function canBlock({ rules, facts }: Charge): boolean {
  if (facts.mode !== 'enforce') return false
  for (const { blockMs } of rules) if (blockMs > 0) return true
  return false
}

/** How one rule answers a charge. Permits are whole numbers, times are milliseconds. */
export interface RuleAnswer {
  /** Permits left: after the charge where it was taken, otherwise as they are without it. */
  readonly remaining: number
  /** Milliseconds until the next permits return; 0 when all are available. */
  readonly resetMs: number
  /** 0 when the rule passes. Otherwise the milliseconds until the same charge would pass, and not one earlier. */
  readonly waitMs: number
  /** For a rule that passes and paces calls: milliseconds until the call's turn. Otherwise 0. */
  readonly delayMs: number
}

/** What a store does with all charges in one atomic step:
 *  - take: takes every charge or, when a rule of an enforcing charge refuses, none. Charges in shadow or degrade mode never
 *    refuse others: those of one mode are taken together or not at all, and only when the call passes.
 *  - peek: answers as take would, and changes nothing.
 *  - force: takes every charge whatever its rules say, for what has happened already.
 *  - refund: refunds charges that were taken at the instants `at` of the store's clock, as far as they still count.
 *  - reset: forgets everything counted under the keys.
 *
 *  `of` is the receipt of the call that a refund or a force corrects: it says where the call was counted. Without it
 *  the store counted the call. */
export type Operation =
  | { readonly type: 'take' | 'peek' | 'reset'; readonly charges: readonly Charge[] }
  | { readonly type: 'force'; readonly charges: readonly Charge[]; readonly of?: Receipt }
  | {
      readonly type: 'refund'
      readonly charges: readonly Charge[]
      readonly at: readonly number[]
      readonly of?: Receipt
    }

/** When a charge was decided, in milliseconds of two clocks. */
export interface Instants {
  /** The clock of the store that counted it: what a refund must name. */
  readonly store: number
  /** This process's clock, by which the in-process store mirrors the charge. The same as `store` for what this process
   *  counts itself. */
  readonly here: number
}

/** The first line of this process. While one lives, V8 keeps their hidden class, and all optimised code that reads lines;
 *  otherwise a garbage collection between two calls would discard both. */
const first: ReceiptLine[] = []

/** What became of one charge that a store was asked about. */
export class ReceiptLine<Answers extends readonly RuleAnswer[] = readonly RuleAnswer[]> {
  readonly charge: Charge
  /** One for each rule, in order; none for a refund or a reset. */
  readonly answers: Answers
  /** Whether the operation has charged it. Only the store that makes the line changes it. */
  isTaken: boolean
  readonly at: Instants

  constructor(charge: Charge, answers: Answers, isTaken: boolean, at: Instants) {
    this.charge = charge
    this.answers = answers
    this.isTaken = isTaken
    this.at = at
    if (first.length === 0) first.push(this)
  }
}

/** A store's account of one operation. */
export interface Receipt {
  /** Those of the operation. */
  readonly charges: readonly Charge[]
  /** One for each charge that a store was asked about, in order. */
  readonly lines: readonly ReceiptLine[]
  /** 'store' is the configured one (Redis, or this process without it), 'local' the in-process one while Redis fails,
   *  'policy' a rule set's `onStoreFailure` of 'deny' or 'allow', 'cache' a refusal that this process remembers,
   *  'block' an override that blocks the subject. */
  readonly answeredBy: 'store' | 'local' | 'policy' | 'cache' | 'block'
}

/** Where permits are counted: Redis, this process's memory, or a layer around other stores. Stores that count give the
 *  same answers to the same history: testing/limits/conformance.ts checks each of them, and testing/limits/decided-alike.ts
 *  compares them on random histories with a simple model of each algorithm. */
export interface LimitStore {
  /** Returns the receipt itself where nothing has to be waited for: an in-process decision needs no promise. Rejects
   *  when the store fails. */
  apply(operation: Operation): Receipt | Promise<Receipt>
  close(): Promise<void>
}

/** The same operation for some of its charges; a refund keeps their instants. */
export function narrowed(operation: Operation, charges: readonly Charge[]): Operation {
  if (operation.type !== 'refund') return { ...operation, charges }
  const instants = new Map(operation.charges.map((charge, index) => [charge, operation.at[index] ?? 0]))
  return { ...operation, charges, at: charges.map((charge) => instants.get(charge) ?? 0) }
}
