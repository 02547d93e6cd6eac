import { decide, denied, UNLIMITED } from '../decision.ts'
import type { Taken } from '../permit.ts'
import { type Charge, narrowed, type Operation } from '../store.ts'
import type { MemoryStore } from '../stores/memory-store.ts'
import type { StoreGuard } from '../stores/store-guard.ts'
import { type Decider, StoreUnavailable } from './decider.ts'
import { deciderOver, takenOf } from './store-decider.ts'

/** What a rule set that says 'deny' tells callers to wait while the store fails. */
const DENIED_RETRY_MS = 5_000

/** Over a store that may fail, with one in process beside it that stands in for it then, and counts what is counted in
 *  each process by itself. What the store counts is counted there as well, so that whoever makes the store fail does not
 *  get this process's limits anew. */
export function guardedDecider(guard: StoreGuard, local: MemoryStore): Decider {
  const inProcess = deciderOver(local)
  return {
    take: async (charges) => {
      if (!charges.some(isShared)) return inProcess.take(charges)
      const outcome = await guard.apply({ type: 'take', charges })
      if (!outcome) return takeWithoutStore(charges, guard, local)
      const taken = takenOf(charges, outcome, 'store', (operation) => amend(operation, instants, guard, local))
      const instants = mirror(taken, local)
      for (const { charge, answers } of taken.answered) if (isShared(charge)) local.adoptBlocks(charge, answers)
      return taken
    },
    peek: async (charges) => {
      if (!charges.some(isShared)) return inProcess.peek(charges)
      const outcome = await guard.apply({ type: 'peek', charges })
      return outcome ? decide(charges, outcome.answers, 'store') : withoutStore(charges, local, 'peek').decision
    },
    reset: async (charges) => {
      local.applyNow({ type: 'reset', charges })
      const shared = charges.filter(isShared)
      if (shared.length === 0) return
      if (!(await guard.apply({ type: 'reset', charges: shared }))) throw new StoreUnavailable()
    },
  }
}

/** Whether the store counts the charge, for all processes. */
function isShared({ facts }: Charge): boolean {
  return facts.scope === 'cluster'
}

/** Counts in process what the store has counted; gives the instants of all that counts there, by their keys. */
function mirror({ charges, at }: Taken, local: MemoryStore): ReadonlyMap<string, number> {
  const instants = new Map(charges.map(({ key }, index) => [key, at[index] ?? 0]))
  const shared = charges.filter(isShared)
  if (shared.length === 0) return instants
  // It has happened, whatever is full here.
  const mirrored = local.applyNow({ type: 'force', charges: shared })
  for (const [index, { key }] of shared.entries()) instants.set(key, mirrored.at[index] ?? 0)
  return instants
}

/** In process by its own instants, whatever the store does; there, as far as it counts the charges. */
async function amend(
  operation: Operation,
  instants: ReadonlyMap<string, number>,
  guard: StoreGuard,
  local: MemoryStore,
): Promise<void> {
  const { type, charges } = operation
  if (type === 'refund') local.applyNow({ type, charges, at: charges.map(({ key }) => instants.get(key) ?? 0) })
  else local.applyNow(operation)
  const shared = charges.filter(isShared)
  if (shared.length > 0) await guard.apply(narrowed(operation, shared))
}

/** A call that lasts longer than the outage holds its places in the store too from then on: those it renews. */
function takeWithoutStore(charges: readonly Charge[], guard: StoreGuard, local: MemoryStore): Taken {
  const amend = async (operation: Operation) => {
    local.applyNow(operation)
    const leases = operation.charges.filter((charge) => isShared(charge) && charge.algorithm === 'concurrency')
    if (leases.length > 0) await guard.apply(narrowed(operation, leases))
  }
  const { decision, counted, outcome } = withoutStore(charges, local, 'take')
  if (!outcome) return { decision, answered: [], charges: [], at: [], amend }
  return takenOf(counted, outcome, 'local', amend)
}

/** One set that denies, denies the call; sets that allow do not count; the others count in this process. What is counted
 *  there anyway has lost nothing. */
function withoutStore(charges: readonly Charge[], local: MemoryStore, type: 'take' | 'peek') {
  const counted = charges.filter((charge) => !isShared(charge) || charge.facts.onStoreFailure === 'local')
  const denying = charges.find((charge) => isShared(charge) && charge.facts.onStoreFailure === 'deny')
  if (denying) return { decision: denied(denying, DENIED_RETRY_MS), counted, outcome: null }
  if (counted.length === 0) return { decision: UNLIMITED, counted, outcome: null }
  const outcome = local.applyNow({ type, charges: counted })
  return { decision: decide(counted, outcome.answers, 'local'), counted, outcome }
}
