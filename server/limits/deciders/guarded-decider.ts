import { decide, denied, UNLIMITED } from '../decision.ts'
import { nothingTaken, type Taken } from '../permit.ts'
import { type Charge, narrowed, type Operation, type Outcome } from '../store.ts'
import type { MemoryStore } from '../stores/memory-store.ts'
import type { StoreGuard } from '../stores/store-guard.ts'
import { type Decider, StoreUnavailable } from './decider.ts'
import { isShared, StandIn } from './stand-in.ts'
import { deciderOver, takenOf } from './store-decider.ts'

/** What a rule set that says 'deny' tells callers to wait while the store fails. */
const DENIED_RETRY_MS = 5_000

/** Over a store that may fail, with one in process beside it that stands in for it then, and counts what is counted in
 *  each process by itself.
 *
 *  While the store fails, each of the n processes that shared it, by `processes`, lets at most max(cost, floor(limit / n))
 *  pass in a window, less what it had taken there before. So in any window that an outage touches, at most
 *  limit + n * max(cost, floor(limit / n)) pass in all, about twice the limit: what the store admitted before and after,
 *  and what all processes admitted meanwhile. A process that begins in an outage knows no other, and adds a limit. */
export function guardedDecider(guard: StoreGuard, local: MemoryStore, processes: () => number): Decider {
  const inProcess = deciderOver(local)
  const standIn = new StandIn(local, processes)
  guard.onRecovered(() => standIn.yield())
  const takeShared = async (charges: readonly Charge[]) => {
    const outcome = await guard.apply({ type: 'take', charges })
    if (!outcome) return takeWithoutStore(charges, guard, standIn)
    const taken = takenOf(charges, outcome, 'store', (operation) => {
      return amend(operation, instantsOf(taken, mirrored), guard, standIn)
    })
    // It has happened, whatever is full here.
    const mirrored = standIn.follow({ type: 'force', charges: sharedOf(taken.charges) })
    standIn.adoptBlocks(charges, outcome.answers)
    return taken
  }
  return {
    take: (charges) => (charges.some(isShared) ? takeShared(charges) : inProcess.take(charges)),
    peek: async (charges) => {
      if (!charges.some(isShared)) return inProcess.peek(charges)
      const outcome = await guard.apply({ type: 'peek', charges })
      return outcome ? decide(charges, outcome.answers, 'store') : withoutStore(charges, standIn, 'peek').decision
    },
    reset: async (charges) => {
      const shared = charges.filter(isShared)
      // The store first: what it does not forget is forgotten nowhere.
      if (shared.length > 0 && !(await guard.apply({ type: 'reset', charges: shared }))) throw new StoreUnavailable()
      local.applyNow({ type: 'reset', charges })
    },
  }
}

function sharedOf(charges: readonly Charge[]): readonly Charge[] {
  return charges.every(isShared) ? charges : charges.filter(isShared)
}

/** When each charge was counted in process, by its key: those that the store counts, when they were mirrored. */
function instantsOf({ charges, at }: Taken, mirrored: Outcome): ReadonlyMap<string, number> {
  const instants = new Map(charges.map(({ key }, index) => [key, at[index] ?? 0]))
  for (const [index, { key }] of sharedOf(charges).entries()) instants.set(key, mirrored.at[index] ?? 0)
  return instants
}

/** In process by its own instants, whatever the store does; there, as far as it counts the charges. */
async function amend(
  operation: Operation,
  instants: ReadonlyMap<string, number>,
  guard: StoreGuard,
  standIn: StandIn,
): Promise<void> {
  const { type, charges } = operation
  if (type === 'refund') change({ type, charges, at: charges.map(({ key }) => instants.get(key) ?? 0) }, guard, standIn)
  else change(operation, guard, standIn)
  const shared = charges.filter(isShared)
  if (shared.length > 0) await guard.apply(narrowed(operation, shared))
}

/** By the limits that hold in process now. */
function change(operation: Operation, guard: StoreGuard, standIn: StandIn): void {
  if (guard.isFailing) standIn.decide(operation)
  else standIn.follow(operation)
}

/** A call that lasts longer than the outage holds its places in the store too from then on: those it renews. */
function takeWithoutStore(charges: readonly Charge[], guard: StoreGuard, standIn: StandIn): Taken {
  const amend = async (operation: Operation) => {
    change(operation, guard, standIn)
    const leases = operation.charges.filter((charge) => isShared(charge) && charge.algorithm === 'concurrency')
    if (leases.length > 0) await guard.apply(narrowed(operation, leases))
  }
  const { decision, counted, outcome } = withoutStore(charges, standIn, 'take')
  if (!outcome) return nothingTaken(decision)
  return takenOf(counted, outcome, 'local', amend)
}

/** One set that denies, denies the call; sets that allow do not count; the others count in this process. What is counted
 *  there anyway has lost nothing. */
function withoutStore(charges: readonly Charge[], standIn: StandIn, type: 'take' | 'peek') {
  const counted = charges.filter((charge) => !isShared(charge) || charge.facts.onStoreFailure === 'local')
  const denying = charges.find((charge) => isShared(charge) && charge.facts.onStoreFailure === 'deny')
  if (denying) return { decision: denied(denying, DENIED_RETRY_MS), counted, outcome: null }
  if (counted.length === 0) return { decision: UNLIMITED, counted, outcome: null }
  const outcome = standIn.decide({ type, charges: counted })
  return { decision: decide(counted, outcome.answers, 'local'), counted, outcome }
}
