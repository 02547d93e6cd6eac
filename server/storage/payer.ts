import { AsyncLocalStorage } from 'node:async_hooks'

/** At whose expense the bucket is asked. */
export interface Payer {
  /** The procedure's path, or what a route or a job is called: 'image.upload', 'image bytes (original)', 'sweep'. */
  readonly procedure: string
  /** Who is counted, in the form of the limiter's subjects: a user's id, an address, both of a shared account; null for the
   *  site itself. */
  readonly subject: string | null
  /** The SHA-256 of the image that it is done for, in hex, where it is one. */
  readonly object?: string | undefined
}

const payers = new AsyncLocalStorage<Payer>()

/** Does the work at the payer's expense, with all that it starts: no procedure can forget to say who pays. */
export function paidBy<T>(payer: Payer, work: () => T): T {
  return payers.run(payer, work)
}

/** A stream each of whose items is made at the payer's expense: it is made when it is asked for, by whoever reads. */
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

/** Who pays for what is asked now; the site where nobody has said. */
export function payerNow(): Payer {
  return payers.getStore() ?? SITE
}

const SITE: Payer = { procedure: 'other', subject: null }
