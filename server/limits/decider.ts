import { type Decision, decide, denied, UNLIMITED } from './decision.ts'
import type { Answered, Taken } from './permit.ts'
import type { MemoryStore } from './stores/memory-store.ts'
import { type Charge, type LimitStore, type Operation, type Outcome, passing, type RuleAnswer } from './stores/store.ts'
import type { StoreGuard } from './stores/store-guard.ts'

/** Makes decisions of charges, wherever they are counted. */
export interface Decider {
  take(charges: readonly Charge[]): Promise<Taken>
  /** What `take` would decide. */
  peek(charges: readonly Charge[]): Promise<Decision>
  /** Forgets what was charged. */
  reset(charges: readonly Charge[]): Promise<void>
}

/** What a rule set that says 'deny' tells callers to wait while the store fails. */
const DENIED_RETRY_MS = 5_000

/** Over one store that does not fail. */
export function deciderOver(store: LimitStore): Decider {
  const amend = async (operation: Operation) => void (await store.apply(operation))
  return {
    take: async (charges) => takenOf(charges, await store.apply({ type: 'take', charges }), 'store', amend),
    peek: async (charges) => decide(charges, (await store.apply({ type: 'peek', charges })).answers, 'store'),
    reset: (charges) => amend({ type: 'reset', charges }),
  }
}

/** Over a store that may fail, with one in process beside it that stands in for it then. */
export function guardedDecider(guard: StoreGuard, local: MemoryStore): Decider {
  // Counted here as well, so that whoever makes the store fail does not get this process's limits anew.
  const amend = async (operation: Operation) => {
    local.applyNow(operation)
    await guard.apply(operation)
  }
  return {
    take: async (charges) => {
      const outcome = await guard.apply({ type: 'take', charges })
      if (!outcome) return takeWithoutStore(charges, local)
      const taken = takenOf(charges, outcome, 'store', amend)
      if (taken.charges.length > 0) local.applyNow({ type: 'take', charges: taken.charges })
      return taken
    },
    peek: async (charges) => {
      const outcome = await guard.apply({ type: 'peek', charges })
      return outcome ? decide(charges, outcome.answers, 'store') : withoutStore(charges, local, 'peek').decision
    },
    reset: (charges) => amend({ type: 'reset', charges }),
  }
}

function takeWithoutStore(charges: readonly Charge[], local: MemoryStore): Taken {
  const amend = async (operation: Operation) => void local.applyNow(operation)
  const { decision, counted, outcome } = withoutStore(charges, local, 'take')
  if (!outcome) return { decision, answered: [], charges: [], at: [], amend }
  return takenOf(counted, outcome, 'local', amend)
}

/** One set that denies, denies the call; sets that allow do not count; the others count in this process. */
function withoutStore(charges: readonly Charge[], local: MemoryStore, type: 'take' | 'peek') {
  const counted = charges.filter((charge) => charge.facts.onStoreFailure === 'local')
  const denying = charges.find((charge) => charge.facts.onStoreFailure === 'deny')
  if (denying) return { decision: denied(denying, DENIED_RETRY_MS), counted, outcome: null }
  if (counted.length === 0) return { decision: UNLIMITED, counted, outcome: null }
  const outcome = local.applyNow({ type, charges: counted })
  return { decision: decide(counted, outcome.answers, 'local'), counted, outcome }
}

function takenOf(
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
  let next = 0
  return charges.map((charge) => {
    const first = next
    next += charge.rules.length
    return { charge, answers: answers.slice(first, next) }
  })
}
