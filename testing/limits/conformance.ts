import { describeBlocks } from './conformance/blocks.ts'
import { describeConcurrency } from './conformance/concurrency.ts'
import { describeFixedWindow } from './conformance/fixed-window.ts'
import { describeLeakyBucket } from './conformance/leaky-bucket.ts'
import { describeSlidingWindowCounter } from './conformance/sliding-window-counter.ts'
import { describeSlidingWindowLog } from './conformance/sliding-window-log.ts'
import { describeTokenBucket } from './conformance/token-bucket.ts'
import type { StoreHarness } from './harness.ts'

/** The behaviour of every store, by algorithm. */
export function describeConformance(open: () => Promise<StoreHarness>): void {
  describeSlidingWindowLog('sliding-window-log', open)
  describeFixedWindow('fixed-window', open)
  describeSlidingWindowCounter('sliding-window-counter', open)
  describeLeakyBucket('leaky-bucket', open)
  describeTokenBucket('token-bucket', open)
  describeConcurrency('concurrency', open)
  describeBlocks('blocks', open)
}
