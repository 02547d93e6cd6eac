/** Helpers that look at an operation and its answers charge by charge. */

import type { SetFacts } from './rules/compiled.ts'
import type { Charge, Operation, RuleAnswer } from './store.ts'

/** A charge and the answers of its rules. */
export interface Answered {
  readonly charge: Charge
  readonly answers: readonly RuleAnswer[]
}

/** For each mode whether all of its charges pass. `answers` are those of every rule of every charge, in order. */
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

/** Splits the answers of an operation by charge. */
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

/** The charges of an operation, each with the answers of its rules. */
export function answeredOf(charges: readonly Charge[], answers: readonly RuleAnswer[]): readonly Answered[] {
  const each = answersOfEach(charges, answers)
  return charges.map((charge, index) => ({ charge, answers: each[index] ?? [] }))
}

/** The same operation for some of its charges only; a refund keeps their instants. */
export function narrowed(operation: Operation, charges: readonly Charge[]): Operation {
  if (operation.type !== 'refund') return { type: operation.type, charges }
  const instants = new Map(operation.charges.map((charge, index) => [charge, operation.at[index] ?? 0]))
  return { type: 'refund', charges, at: charges.map((charge) => instants.get(charge) ?? 0) }
}
