import type { Algorithm } from '../rules/compiled.ts'
import type { Ledger } from './ledger.ts'
import { SlidingWindowLog } from './sliding-window-log.ts'

function missing(): never {
  throw new Error('not there yet')
}

/** A ledger in which nothing was charged. */
export const openLedger: { readonly [A in Algorithm]: () => Ledger } = {
  'sliding-window-log': () => new SlidingWindowLog(),
  'fixed-window': missing,
  'sliding-window-counter': missing,
  'leaky-bucket': missing,
  'token-bucket': missing,
  concurrency: missing,
}
