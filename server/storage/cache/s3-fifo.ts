/** Small takes what comes in; main what was asked for again. */
export type Queue = 'small' | 'main'

/** An object in one of the queues. */
export interface Resident {
  readonly id: number
  readonly size: number
  /** How often it was asked for since it came into its queue: 0 to MAX_FREQUENCY. */
  readonly frequency: number
}

/** The queues, wherever they are kept. */
export interface Queues {
  /** Bytes that both queues may hold together. */
  readonly capacity: number
  bytesIn(queue: Queue): number
  /** The one that has been in its queue for longest; null when it is empty. */
  oldest(queue: Queue): Resident | null
  /** Puts a resident behind all others of main. */
  moveToMain(resident: Resident, frequency: number): void
  /** Removes a resident; one that is to be remembered is a ghost from then on. */
  evict(resident: Resident, isRemembered: boolean): void
}

export const MAX_FREQUENCY = 3
/** The small queue's share of the capacity, and main's, which is the ghosts' too. */
export const SMALL_SHARE = 0.1
export const MAIN_SHARE = 1 - SMALL_SHARE

/**
 * Evicts from the queues as S3-FIFO does (Yang et al., "FIFO queues are all you need for cache eviction", SOSP 2023,
 * algorithm 1, by bytes instead of objects): what came once leaves early, what was asked for again stays. A step a turn of
 * the generator, each of which finds the queues as they then are; answers whether anything was evicted. Whoever has room
 * enough stops in between: fewer leave than by the paper, where what has moved to a full main queue, and put one out there,
 * is followed by one more that leaves.
 */
export function* evictOne(queues: Queues): Generator<undefined, boolean> {
  if (queues.bytesIn('small') >= queues.capacity * SMALL_SHARE) {
    return (yield* evictFromSmall(queues)) || (yield* evictFromMain(queues))
  }
  return (yield* evictFromMain(queues)) || (yield* evictFromSmall(queues))
}

function* evictFromSmall(queues: Queues): Generator<undefined, boolean> {
  for (;;) {
    const oldest = queues.oldest('small')
    if (!oldest) return false
    if (oldest.frequency <= 1) {
      queues.evict(oldest, true)
      yield
      return true
    }
    queues.moveToMain(oldest, 0)
    yield
    if (queues.bytesIn('main') > queues.capacity * MAIN_SHARE) yield* evictFromMain(queues)
  }
}

function* evictFromMain(queues: Queues): Generator<undefined, boolean> {
  for (;;) {
    const oldest = queues.oldest('main')
    if (!oldest) return false
    if (oldest.frequency === 0) {
      queues.evict(oldest, false)
      yield
      return true
    }
    queues.moveToMain(oldest, oldest.frequency - 1)
    yield
  }
}
