import { AsyncLocalStorage } from 'node:async_hooks'

/** Who pays for a request to the bucket. The payer is ambient (AsyncLocalStorage), so the work that a call starts is
 *  charged to its caller without passing anything on. */
export interface Payer {
  /** The procedure's path, or the name of a route or job: 'image.upload', 'image bytes (original)', 'sweep'. */
  readonly procedure: string
  /** The limiter's subject that is charged: a user ID, an address, or both for a shared account. Null for the site
   *  itself. */
  readonly subject: string | null
  /** The SHA-256 in hex of the image concerned, if there is one. */
  readonly object?: string | undefined
}

const payers = new AsyncLocalStorage<Payer>()

/** Runs `work`, and everything it starts, at the payer's expense. */
export function paidBy<T>(payer: Payer, work: () => T): T {
  return payers.run(payer, work)
}

/** Returns a stream whose items are charged to `payer`. Items are produced when they are requested, which may be in
 *  another caller's context. */
export function streamPaidBy<T>(payer: Payer, stream: AsyncIterable<T>): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const source = stream[Symbol.asyncIterator]()
      return {
        next: () => paidBy(payer, () => source.next()),
        return: async () => (await paidBy(payer, () => source.return?.())) ?? { done: true, value: undefined },
      }
    },
  }
}

/** Returns the current payer; the site outside of any `paidBy`. */
export function payerNow(): Payer {
  return payers.getStore() ?? SITE
}

const SITE: Payer = { procedure: 'other', subject: null }
