import { narrowed } from '../by-charge.ts'
import { type Decision, decide, denied, UNLIMITED } from '../decision.ts'
import { Later } from '../later.ts'
import { nothingTaken, type Taken } from '../permit.ts'
import type { Charge, Operation, Outcome } from '../store.ts'
import type { CircuitBreaker } from '../stores/circuit-breaker.ts'
import type { MemoryStore } from '../stores/memory-store.ts'
import { Decider, type OnTaken, StoreUnavailable } from './decider.ts'
import { isShared, LocalFallback } from './local-fallback.ts'
import { StoreDecider, takenOf } from './store-decider.ts'

/** The wait in milliseconds that callers are given by a rule set that says 'deny' while the store fails. */
const DENIED_RETRY_MS = 5_000

/** Decides by a store that may fail, and by the in-process store while it does. Charges of scope 'instance' are always
 *  decided in process.
 *
 *  While the store fails, each of the n processes that shared it (`processes`) admits at most max(cost, floor(limit / n))
 *  in a window, less what it had taken there before. So in any window that an outage touches, all processes together
 *  admit at most limit + n * max(cost, floor(limit / n)), about twice the limit: what the store admitted before and
 *  after, and what the processes admitted meanwhile. A process that starts during an outage knows of no other, and adds
 *  a whole limit. */
export class FailoverDecider extends Decider {
  readonly #breaker: CircuitBreaker
  readonly #local: MemoryStore
  readonly #inProcess: Decider
  readonly #fallback: LocalFallback
  /** Admitted calls that are not yet mirrored to the in-process store; finished before that store is asked or
   *  changed. */
  readonly #unmirrored = new Later<Taken>((taken) => this.#mirror(taken))

  constructor(breaker: CircuitBreaker, local: MemoryStore, processes: () => number) {
    super()
    this.#breaker = breaker
    this.#local = local
    this.#inProcess = new StoreDecider(local)
    this.#fallback = new LocalFallback(local, processes)
    breaker.onRecovered(() => this.#fallback.onStoreRecovered())
  }

  override decide<T>(charges: readonly Charge[], onTaken: OnTaken<T>): T | Promise<T> {
    if (!charges.some(isShared)) return this.#inProcess.decide(charges, onTaken)
    return this.#breaker.applyThen({ type: 'take', charges }, (outcome) => {
      return onTaken(outcome ? this.#takenOf(charges, outcome) : this.#takeWithoutStore(charges), charges)
    })
  }

  override peek(charges: readonly Charge[]): Decision | Promise<Decision> {
    if (!charges.some(isShared)) return this.#inProcess.peek(charges)
    return this.#breaker.applyThen({ type: 'peek', charges }, (outcome) => {
      return outcome ? decide(charges, outcome.answers, 'store') : this.#withoutStore(charges, 'peek').decision
    })
  }

  override async reset(charges: readonly Charge[]): Promise<void> {
    const shared = charges.filter(isShared)
    // The store first: where that fails, nothing is forgotten in process either.
    if (shared.length > 0 && !(await this.#breaker.apply({ type: 'reset', charges: shared })))
      throw new StoreUnavailable()
    this.#unmirrored.finish()
    this.#local.applyNow({ type: 'reset', charges })
  }

  /** In process by its own instants, whatever the store does; there, as far as it counts the charges. Of what was
   *  decided without it, a call that lasts longer than the outage holds its places there too from then on: those it
   *  renews. */
  override async amend(taken: Taken, operation: Operation): Promise<void> {
    const isOfStore = taken.decision.decidedBy !== 'local'
    this.#unmirrored.finish()
    this.#change(isOfStore ? atOwnInstants(operation, taken) : operation)
    const counted = operation.charges.filter((charge) => {
      return isShared(charge) && (isOfStore || charge.algorithm === 'concurrency')
    })
    if (counted.length > 0) await this.#breaker.apply(narrowed(operation, counted))
  }

  #takenOf(charges: readonly Charge[], outcome: Outcome): Taken {
    const taken = takenOf(charges, outcome, 'store', this.#local.now)
    this.#unmirrored.add(taken)
    return taken
  }

  #mirror({ asked, answers, charges, hereAt }: Taken): void {
    this.#fallback.count(sharedOf(charges), hereAt)
    this.#fallback.adoptBlocks(asked, answers, hereAt)
  }

  /** In process, by this process's share of the limits during an outage and by whole limits otherwise. */
  #change(operation: Operation): void {
    if (this.#breaker.isFailing) this.#fallback.decide(operation)
    else this.#fallback.follow(operation)
  }

  #takeWithoutStore(charges: readonly Charge[]): Taken {
    const { decision, counted, outcome } = this.#withoutStore(charges, 'take')
    return outcome ? takenOf(counted, outcome, 'local') : nothingTaken(decision)
  }

  /** One set that denies, denies the call; sets that allow do not count; the others count in this process. What is
   *  counted there anyway has lost nothing. */
  #withoutStore(charges: readonly Charge[], type: 'take' | 'peek') {
    const counted = charges.filter((charge) => !isShared(charge) || charge.facts.onStoreFailure === 'local')
    const denying = charges.find((charge) => isShared(charge) && charge.facts.onStoreFailure === 'deny')
    if (denying) return { decision: denied(denying, DENIED_RETRY_MS), counted, outcome: null }
    if (counted.length === 0) return { decision: UNLIMITED, counted, outcome: null }
    this.#unmirrored.finish()
    const outcome = this.#fallback.decide({ type, charges: counted })
    return { decision: decide(counted, outcome.answers, 'local'), counted, outcome }
  }
}

function sharedOf(charges: readonly Charge[]): readonly Charge[] {
  return charges.every(isShared) ? charges : charges.filter(isShared)
}

/** The operation by the instants at which the charges were counted in process: of those that the store counts, when it
 *  had decided. */
function atOwnInstants(operation: Operation, { charges, at, hereAt }: Taken): Operation {
  if (operation.type !== 'refund') return operation
  const instants = new Map(charges.map((charge, index) => [charge.key, isShared(charge) ? hereAt : (at[index] ?? 0)]))
  return { ...operation, at: operation.charges.map(({ key }) => instants.get(key) ?? 0) }
}
