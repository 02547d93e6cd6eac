import { Later } from '../../later.ts'
import { NEVER } from '../../receipt.ts'
import type { CompiledRule } from '../../rules/compiled.ts'
import {
  type Charge,
  type LimitStore,
  narrowed,
  type Operation,
  type Receipt,
  ReceiptLine,
  type RuleAnswer,
} from '../../store.ts'
import type { MemoryStore } from '../memory/memory-store.ts'
import type { RememberedRefusals } from '../refusals/remembered-refusals.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'
import { atOwnInstants, isShared, LocalFallback } from './local-fallback.ts'

/** The wait in milliseconds that callers are given by a rule set that says 'deny' while the store fails. */
const DENIED_RETRY_MS = 5_000

/** A reset failed because the store does not answer. */
export class LimitStoreUnavailable extends Error {
  override readonly name = 'LimitStoreUnavailable'

  constructor() {
    super('the store of the limits does not answer: nothing was reset')
  }
}

/** Counts in a store that may fail, and in the in-process store while it does. Charges of scope 'instance' are always
 *  counted in process. Only a reset rejects when the store fails.
 *
 *  While the store fails, each of the n processes that shared it (`processes`) admits at most max(cost, floor(limit / n))
 *  in a window, less what it had taken there before. So in any window that an outage touches, all processes together
 *  admit at most limit + n * max(cost, floor(limit / n)), about twice the limit: what the store admitted before and
 *  after, and what the processes admitted in between. A process that starts during an outage knows of no other, and adds
 *  a whole limit. */
export class FailoverStore implements LimitStore {
  readonly #store: LimitStore
  readonly #breaker: CircuitBreaker
  readonly #local: MemoryStore
  readonly #fallback: LocalFallback
  readonly #refusals: RememberedRefusals | null
  /** Takes that are not yet mirrored to the in-process store; finished before that store is asked or changed. */
  readonly #unmirrored = new Later<Receipt>((receipts) => this.#fallback.mirror(receipts))

  /** `store` is the one that may fail; `processes` says how many processes share it. Without `refusals` every call is
   *  decided anew. */
  constructor(
    store: LimitStore,
    breaker: CircuitBreaker,
    local: MemoryStore,
    processes: () => number,
    refusals: RememberedRefusals | null = null,
  ) {
    this.#store = store
    this.#breaker = breaker
    this.#local = local
    this.#fallback = new LocalFallback(local, processes)
    this.#refusals = refusals
    breaker.onRecovered(() => {
      this.#fallback.onStoreRecovered()
      refusals?.forgetAll()
    })
  }

  apply(operation: Operation): Receipt | Promise<Receipt> {
    switch (operation.type) {
      case 'take':
        return this.#refusals?.recall(operation.charges, this.#breaker.isFailing) ?? this.#decide(operation)
      case 'peek':
        return this.#decide(operation)
      case 'reset':
        return this.#reset(operation)
      default:
        return this.#amend(operation)
    }
  }

  close(): Promise<void> {
    return this.#breaker.close()
  }

  /** With one promise of its own: each further one would add a twentieth to the cost of a decision. */
  #decide(operation: Operation): Receipt | Promise<Receipt> {
    if (!operation.charges.some(isShared)) return this.#local.apply(operation)
    if (this.#breaker.isFailing) return this.#withoutStore(operation)
    const { recoveries } = this.#breaker
    const returns = this.#refusals?.returns ?? 0
    return Promise.resolve(this.#store.apply(operation)).then(
      (receipt) => (operation.type === 'take' ? this.#noted(receipt, returns) : receipt),
      (error: unknown) => {
        this.#breaker.fail(error, operation, recoveries)
        return this.#withoutStore(operation)
      },
    )
  }

  /** Records what the store has taken or refused. */
  #noted(receipt: Receipt, returns: number): Receipt {
    this.#unmirrored.add(receipt)
    this.#refusals?.note(receipt, returns)
    return receipt
  }

  async #reset(operation: Operation): Promise<Receipt> {
    const shared = operation.charges.filter(isShared)
    // The store first: where that fails, nothing is forgotten in process either.
    if (shared.length > 0 && !(await this.#isPerformed(narrowed(operation, shared)))) throw new LimitStoreUnavailable()
    this.#unmirrored.finish()
    return this.#local.apply(operation)
  }

  /** A refund or a further charge: in process by the instants of this process, whatever the store does; and in the
   *  store, as far as it counts the charges. A call that was decided without the store and outlasts the outage holds its
   *  places there too from then on: those that it renews. */
  async #amend(operation: Operation & { readonly type: 'force' | 'refund' }): Promise<Receipt> {
    const isOfStore = operation.of?.answeredBy !== 'local'
    this.#unmirrored.finish()
    const inProcess = atOwnInstants(operation)
    const receipt = this.#breaker.isFailing ? this.#fallback.apply(inProcess) : this.#local.apply(inProcess)
    const counted = operation.charges.filter((charge) => {
      return isShared(charge) && (isOfStore || charge.algorithm === 'concurrency')
    })
    if (counted.length > 0) await this.#isPerformed(narrowed(operation, counted))
    return receipt
  }

  /** Whether the store has performed the operation. */
  async #isPerformed(operation: Operation): Promise<boolean> {
    if (this.#breaker.isFailing) return false
    const { recoveries } = this.#breaker
    try {
      await this.#store.apply(operation)
      return true
    } catch (error) {
      this.#breaker.fail(error, operation, recoveries)
      return false
    }
  }

  /** One set that denies, denies the call; sets that allow do not count, and answer that nothing was taken; the others
   *  count in this process. What is counted there anyway has lost nothing. */
  #withoutStore({ type, charges }: Operation): Receipt {
    if (type === 'take') this.#breaker.countDecision()
    const denying = charges.find((charge) => isShared(charge) && charge.facts.onStoreFailure === 'deny')
    if (denying) return { charges, lines: [denied(denying)], answeredBy: 'policy' }
    const isCounted = (charge: Charge) => !isShared(charge) || charge.facts.onStoreFailure === 'local'
    const counted = charges.filter(isCounted)
    const allowing = charges.flatMap((charge) => (isCounted(charge) ? [] : allowed(charge)))
    if (counted.length === 0) return { charges, lines: allowing, answeredBy: 'policy' }
    this.#unmirrored.finish()
    const receipt = this.#fallback.apply(
      type === 'take' ? { type, charges: counted } : { type: 'peek', charges: counted },
    )
    return { ...receipt, charges, lines: [...receipt.lines, ...allowing] }
  }
}

function denied(charge: Charge): ReceiptLine {
  return untaken(charge, () => ({ remaining: 0, resetMs: DENIED_RETRY_MS, waitMs: DENIED_RETRY_MS, delayMs: 0 }))
}

function allowed(charge: Charge): ReceiptLine {
  return untaken(charge, ({ limit }) => ({ remaining: limit, resetMs: 0, waitMs: 0, delayMs: 0 }))
}

function untaken(charge: Charge, answer: (rule: CompiledRule) => RuleAnswer): ReceiptLine {
  return new ReceiptLine(charge, charge.rules.map(answer), false, NEVER)
}
