import type { KnownKey } from './known-keys.ts'
import type { Algorithm, RuleOf, SetFacts } from './rules/compiled.ts'

/** `cost` permits of every rule of one key. No two charges of one operation have the same key. */
export interface ChargeOf<A extends Algorithm> {
  readonly key: string
  /** What this process knows of the key, where it is charged again and again. */
  readonly known?: KnownKey
  readonly algorithm: A
  readonly rules: readonly RuleOf[A][]
  readonly cost: number
  readonly facts: SetFacts
}

export type Charge<A extends Algorithm = Algorithm> = { [K in A]: ChargeOf<K> }[A]

/** What a rule answers to a charge. */
export interface RuleAnswer {
  /** Permits left: after this charge when it was taken, as they were when it was not. */
  readonly remaining: number
  /** Milliseconds until the next permits come back; 0 when all are there. */
  readonly resetMs: number
  /** 0 when the rule passes. Otherwise the milliseconds after which it will, and not one earlier. */
  readonly waitMs: number
  /** Of a rule that passes and paces: milliseconds until the call's turn. */
  readonly delayMs: number
}

/** What is asked of a store, of all charges in one atomic step:
 *  - take: every charge that enforces or, when a rule of one refuses, none at all. Charges that shadow or degrade refuse
 *    no other: those of a mode are taken together, or none of them, and only with a call that passes.
 *  - peek: what take would answer. Nothing changes.
 *  - force: every charge, whatever its rules say: for what has happened already.
 *  - refund: gives back what was charged, each charge at its instant `at` of the store's clock, as far as it still counts.
 *  - reset: forgets all that was charged. */
export type Operation =
  | { readonly type: 'take' | 'peek' | 'force' | 'reset'; readonly charges: readonly Charge[] }
  | { readonly type: 'refund'; readonly charges: readonly Charge[]; readonly at: readonly number[] }

export interface Outcome {
  /** When it was, by the store's clock, in milliseconds, for each charge: what a refund names. */
  readonly at: readonly number[]
  /** Those of every rule of every charge, in order; none to a refund or a reset. */
  readonly answers: readonly RuleAnswer[]
}

/** Where permits are counted. Every implementation gives the same answers to the same history. */
export interface LimitStore {
  /** At once where there is nothing to wait for. Rejects when the store cannot do it. */
  apply(operation: Operation): Outcome | Promise<Outcome>
  /** `applyThen`, where it costs less than a promise of the outcome. */
  applyThen?<T>(operation: Operation, ends: Ends<T>): T | Promise<T>
  close(): Promise<void>
}

/** What is made of an operation. */
export interface Ends<T> {
  told(outcome: Outcome): T | Promise<T>
  /** The store could not do it. */
  failed(error: unknown): T | Promise<T>
}

/** Makes nothing of it. */
export const AS_IT_IS: Ends<Outcome> = {
  told: (outcome) => outcome,
  failed: (error) => {
    throw error
  },
}

/** What becomes of an operation, in the very step in which that is known. */
export function applyThen<T>(store: LimitStore, operation: Operation, ends: Ends<T>): T | Promise<T> {
  if (store.applyThen) return store.applyThen(operation, ends)
  let outcome: Outcome | Promise<Outcome>
  try {
    outcome = store.apply(operation)
  } catch (error) {
    return ends.failed(error)
  }
  if (!(outcome instanceof Promise)) return ends.told(outcome)
  return outcome.then(
    (known) => ends.told(known),
    (error: unknown) => ends.failed(error),
  )
}

/** What the rules of a charge said to it. */
export interface Answered {
  readonly charge: Charge
  readonly answers: readonly RuleAnswer[]
}

/** Whether the charges of each mode pass, by what their rules answered. */
export function passing(charges: readonly Charge[], answers: readonly RuleAnswer[]): Record<SetFacts['mode'], boolean> {
  const passes = { enforce: true, shadow: true, degrade: true }
  let next = 0
  for (const { rules, facts } of charges) {
    for (let rule = 0; rule < rules.length; rule += 1, next += 1) {
      if ((answers[next]?.waitMs ?? 0) > 0) passes[facts.mode] = false
    }
  }
  return passes
}

/** The answers of each charge's rules. */
export function answersOfEach(
  charges: readonly Charge[],
  answers: readonly RuleAnswer[],
): readonly (readonly RuleAnswer[])[] {
  let next = 0
  return charges.map(({ rules }) => {
    const first = next
    next += rules.length
    return answers.slice(first, next)
  })
}

/** Each charge with the answers of its rules. */
export function answeredOf(charges: readonly Charge[], answers: readonly RuleAnswer[]): readonly Answered[] {
  const each = answersOfEach(charges, answers)
  return charges.map((charge, index) => ({ charge, answers: each[index] ?? [] }))
}

/** The operation for some of its charges only. */
export function narrowed(operation: Operation, charges: readonly Charge[]): Operation {
  if (operation.type !== 'refund') return { type: operation.type, charges }
  const instants = new Map(operation.charges.map((charge, index) => [charge, operation.at[index] ?? 0]))
  return { type: 'refund', charges, at: charges.map((charge) => instants.get(charge) ?? 0) }
}
