import { type Decision, decide } from '../decision.ts'
import type { Taken } from '../permit.ts'
import type { Charge, LimitStore, Operation, Outcome } from '../store.ts'
import type { Decider } from './decider.ts'

/** Over one store that does not fail. */
export function deciderOver(store: LimitStore): Decider {
  const amend = async (operation: Operation) => void (await store.apply(operation))
  return {
    take: (charges) => {
      const outcome = store.apply({ type: 'take', charges })
      if (outcome instanceof Promise) return outcome.then((told) => takenOf(charges, told, 'store', amend))
      return takenOf(charges, outcome, 'store', amend)
    },
    peek: async (charges) => decide(charges, (await store.apply({ type: 'peek', charges })).answers, 'store'),
    reset: (charges) => amend({ type: 'reset', charges }),
  }
}

/** What a store's outcome of a take comes to: of a call that passes, what it charged. */
export function takenOf(
  asked: readonly Charge[],
  { at, answers }: Outcome,
  decidedBy: Decision['decidedBy'],
  amend: Taken['amend'],
): Taken {
  const decision = decide(asked, answers, decidedBy)
  const { allowed, degradedBy, shadowedBy } = decision
  if (allowed && !degradedBy && !shadowedBy)
    return { decision, asked, answers, charges: asked, at, waitedFor: null, amend }
  const lacks = { enforce: !allowed, degrade: degradedBy !== null, shadow: shadowedBy !== null }
  const isTaken = ({ facts }: Charge) => allowed && !lacks[facts.mode]
  const charges = asked.filter(isTaken)
  const instants = at.filter((_, index) => asked[index] && isTaken(asked[index]))
  return { decision, asked, answers, charges, at: instants, waitedFor: null, amend }
}
