import type { CacheFigures as StoreFigures } from '#server/storage/cached.ts'
import type { CacheReport } from '../budgets.ts'
import type { Prices } from './prices.ts'

const MILLION = 1_000_000

/** Returns a cache's figures with what it has saved at these prices: each hit spares a read and its bytes out. */
export function cacheSavings(
  { hits, misses, bytesServed, bytes, objects, maxBytes }: StoreFigures,
  prices: Prices,
): CacheReport {
  const reads = hits + misses
  return {
    hits,
    misses,
    hitRatio: reads === 0 ? 0 : hits / reads,
    bytes,
    objects,
    maxBytes,
    savedNanos: Math.round((hits * prices.reads) / MILLION + (bytesServed * prices.bytesOut) / prices.gigabyte),
  }
}
