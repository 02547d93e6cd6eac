import type { Clock } from '../../clock.ts'
import { refusesCall } from '../../receipt.ts'
import type { Returns } from '../../returns.ts'
import type { Charge, Receipt } from '../../store.ts'
import { RefusalCache } from './refusal-cache.ts'

/** Caches refusals in this process until the refused charge would pass, so that a flood of refused calls costs the store
 *  nothing. Only refusals with a known end are cached, by sets that enforce, are shared by all processes and have no
 *  `wait`. A cached refusal also holds for a charge of the same key that costs more, with the wait of the cheaper one.
 *
 *  A remembered refusal never outlasts the one it remembers. Times count from when the answer arrived, so it lasts
 *  exactly as long as the wait that its caller was given: longer than in the store by the time the answer travelled, and never
 *  shorter. Whatever ends a refusal early removes it (returns.ts), and `forgetAll` removes everything, for new rules or
 *  a recovered store. A call that is refused by the cache begins no block under its other keys. */
export class RememberedRefusals {
  readonly #clock: Clock
  readonly #cache: RefusalCache

  /** `maxKeys` bounds the keys with a remembered refusal. */
  constructor(clock: Clock, returns: Returns, maxKeys?: number) {
    this.#clock = clock
    this.#cache = new RefusalCache(maxKeys)
    returns.onRefusalsEnd((keys) => (keys === 'all' ? this.forgetAll() : this.#cache.forget(keys)))
  }

  /** Returns the remembered refusal of a call, or null if the store must be asked. While the store `isFailing`, a set's
   *  `onStoreFailure` of 'deny' or 'allow' precedes the cache. */
  recall(charges: readonly Charge[], isFailing: boolean): Receipt | null {
    if (this.#cache.size === 0) return null
    const remembered = this.#cache.recall(charges, this.#clock.now())
    return remembered && (!isFailing || isLocal(remembered)) ? remembered : null
  }

  /** Read this before the store is asked and pass it to `note` with the receipt. */
  get returns(): number {
    return this.#cache.returns
  }

  /** Remembers what the store has answered to a take if that refuses the call, unless something has ended the refusal in
   *  the meantime. */
  note(receipt: Receipt, returns: number): void {
    if (refusesCall(receipt)) this.#cache.remember(receipt, returns, this.#clock.now())
  }

  /** To be called when limits have changed or the store has recovered. */
  forgetAll(): void {
    this.#cache.clear()
  }
}

/** Whether the refusal holds while the store fails: no other `onStoreFailure` goes before it. */
function isLocal({ lines }: Receipt): boolean {
  return lines.every(({ charge }) => charge.facts.onStoreFailure === 'local')
}
