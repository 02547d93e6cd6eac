import type { Clock } from '../../clock.ts'
import { refusesCall } from '../../receipt.ts'
import type { Returns } from '../../returns.ts'
import type { LimitStore, Operation, Receipt } from '../../store.ts'
import { RefusalCache } from './refusal-cache.ts'

/** Caches refusals in this process until the refused charge would pass, so that a flood of refused calls costs the store
 *  nothing. Only refusals with a known end are cached, by sets that enforce, are shared by all processes and have no
 *  `wait`. A cached refusal also holds for a charge of the same key that costs more, with the wait of the cheaper one.
 *
 *  A remembered refusal never outlasts the one it remembers. Times count from when the answer arrived, so it lasts
 *  exactly as long as the wait that its caller was given: longer than in the store by the time the answer travelled, and never
 *  shorter. Whatever ends a refusal early removes it (returns.ts), and `forgetAll` removes everything, for new rules or
 *  a recovered store. A call that is refused by the cache begins no block under its other keys. */
export class RememberedRefusals implements LimitStore {
  readonly #store: LimitStore
  readonly #clock: Clock
  readonly #isFailing: () => boolean
  readonly #cache: RefusalCache

  /** While `isFailing`, a set's `onStoreFailure` of 'deny' or 'allow' precedes the cache. `maxKeys` bounds the keys with a
   *  remembered refusal. */
  constructor(store: LimitStore, clock: Clock, returns: Returns, isFailing: () => boolean, maxKeys?: number) {
    this.#store = store
    this.#clock = clock
    this.#isFailing = isFailing
    this.#cache = new RefusalCache(maxKeys)
    returns.onRefusalsEnd((keys) => (keys === 'all' ? this.forgetAll() : this.#cache.forget(keys)))
  }

  apply(operation: Operation): Receipt | Promise<Receipt> {
    if (operation.type !== 'take') return this.#store.apply(operation)
    const cache = this.#cache
    const remembered = cache.size > 0 ? cache.recall(operation.charges, this.#clock.now()) : null
    if (remembered && (!this.#isFailing() || isLocal(remembered))) return remembered
    const { returns } = cache
    const receipt = this.#store.apply(operation)
    if (!(receipt instanceof Promise)) return this.#noted(receipt, returns)
    return this.#notedLater(receipt, returns)
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  /** To be called when limits have changed or the store has recovered. */
  forgetAll(): void {
    this.#cache.clear()
  }

  #notedLater(receipt: Promise<Receipt>, returns: number): Promise<Receipt> {
    return receipt.then((known) => this.#noted(known, returns))
  }

  #noted(receipt: Receipt, returns: number): Receipt {
    const isKnown = receipt.answeredBy !== 'policy'
    if (isKnown && refusesCall(receipt)) this.#cache.remember(receipt, returns, this.#clock.now())
    return receipt
  }
}

/** Whether the refusal holds while the store fails: no other `onStoreFailure` goes before it. */
function isLocal({ lines }: Receipt): boolean {
  return lines.every(({ charge, answers }) => !answers || charge.facts.onStoreFailure === 'local')
}
