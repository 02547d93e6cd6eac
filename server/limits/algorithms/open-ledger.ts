import type { Algorithm } from '../rules/compiled.ts'
import { BucketLedger } from './bucket-ledger.ts'
import { Concurrency } from './concurrency.ts'
import { FixedWindowCounter } from './fixed-window.ts'
import type { Ledger } from './ledger.ts'
import { SlidingWindowCounter } from './sliding-window-counter.ts'
import { SlidingWindowLog } from './sliding-window-log.ts'

/** A ledger in which nothing was charged. */
export const openLedger: { readonly [A in Algorithm]: () => Ledger } = {
  'sliding-window-log': () => new SlidingWindowLog(),
  'fixed-window': () => new FixedWindowCounter(),
  'sliding-window-counter': () => new SlidingWindowCounter(),
  'leaky-bucket': () => new BucketLedger('leaky-bucket'),
  'token-bucket': () => new BucketLedger('token-bucket'),
  concurrency: () => new Concurrency(),
}
