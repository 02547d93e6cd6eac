import type { Algorithm } from '../rules/compiled.ts'
import { LeakyBucket } from './leaky-bucket.ts'
import type { Ledger } from './ledger.ts'
import { SlidingWindowLog } from './sliding-window-log.ts'
import { TokenBucket } from './token-bucket.ts'

function missing(): never {
  throw new Error('not there yet')
}

/** A ledger in which nothing was charged. */
export const openLedger: { readonly [A in Algorithm]: () => Ledger } = {
  'sliding-window-log': () => new SlidingWindowLog(),
  'fixed-window': missing,
  'sliding-window-counter': missing,
  'leaky-bucket': () => new LeakyBucket(),
  'token-bucket': () => new TokenBucket(),
  concurrency: missing,
}
