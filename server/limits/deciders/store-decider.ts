import { type Decision, decide } from '../decision.ts'
import type { Answered, Taken } from '../permit.ts'
import {
  answersOfEach,
  type Charge,
  type LimitStore,
  type Operation,
  type Outcome,
  passing,
  type RuleAnswer,
} from '../store.ts'
import type { Decider } from './decider.ts'

/** Over one store that does not fail. */
export function deciderOver(store: LimitStore): Decider {
  const amend = async (operation: Operation) => void (await store.apply(operation))
  return {
    take: async (charges) => takenOf(charges, await store.apply({ type: 'take', charges }), 'store', amend),
    peek: async (charges) => decide(charges, (await store.apply({ type: 'peek', charges })).answers, 'store'),
    reset: (charges) => amend({ type: 'reset', charges }),
  }
}

/** What a store's outcome of a take comes to: of a call that passes, what it charged. */
export function takenOf(
  charges: readonly Charge[],
  { at, answers }: Outcome,
  decidedBy: Decision['decidedBy'],
  amend: Taken['amend'],
): Taken {
  const passes = passing(charges, answers)
  const isTaken = ({ facts }: Charge) => passes.enforce && passes[facts.mode]
  return {
    decision: decide(charges, answers, decidedBy),
    answered: answeredOf(charges, answers),
    charges: charges.filter(isTaken),
    at: at.filter((_, index) => charges[index] && isTaken(charges[index])),
    amend,
  }
}

function answeredOf(charges: readonly Charge[], answers: readonly RuleAnswer[]): readonly Answered[] {
  const each = answersOfEach(charges, answers)
  return charges.map((charge, index) => ({ charge, answers: each[index] ?? [] }))
}
