import type { CacheFigures as StoreFigures } from '#server/storage/cached.ts'
import type { CacheFigures } from '../budgets.ts'
import type { Prices } from './prices.ts'

const MILLION = 1_000_000

/** What a cache has spared the owner at these prices: a hit is a read that was not made, with its bytes. */
export function savingsOf(
  { hits, misses, bytesServed, bytes, objects, maxBytes }: StoreFigures,
  prices: Prices,
): CacheFigures {
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
