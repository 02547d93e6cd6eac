/** 'small' receives new objects; 'main' those that were read again. */
export type FifoQueue = 'small' | 'main'

/** An object in one of the queues. */
export interface Resident {
  readonly id: number
  readonly size: number
  /** Reads since the object entered its queue: 0 to MAX_FREQUENCY. */
  readonly frequency: number
}

/** The queues, wherever they are stored. */
export interface FifoQueues {
  /** Bytes that both queues may hold together. */
  readonly capacity: number
  bytesIn(queue: FifoQueue): number
  /** Returns the object that has been in the queue the longest; null when it is empty. */
  oldest(queue: FifoQueue): Resident | null
  /** Appends a resident to main. */
  moveToMain(resident: Resident, frequency: number): void
  /** Evicts a resident; if it is to be remembered, it becomes a ghost. */
  evict(resident: Resident, isRemembered: boolean): void
}

export const MAX_FREQUENCY = 3
/** The small queue's share of the capacity. Main has the rest, and so do the ghosts. */
export const SMALL_SHARE = 0.1
export const MAIN_SHARE = 1 - SMALL_SHARE

/** Evicts one object as S3-FIFO does (Yang et al., "FIFO queues are all you need for cache eviction", SOSP 2023,
 *  algorithm 1, counting bytes instead of objects): objects read once leave early, those read again stay. The generator
 *  yields after each step, so that a caller can pause, and each step uses the queues as they then are; it returns
 *  whether anything was evicted. A caller that has enough room may stop early, so fewer objects leave than in the
 *  paper, where moving an object to a full main queue, which evicts one there, is still followed by another
 *  eviction. */
export function* evictOne(queues: FifoQueues): Generator<undefined, boolean> {
  if (queues.bytesIn('small') >= queues.capacity * SMALL_SHARE) {
    return (yield* evictFromSmall(queues)) || (yield* evictFromMain(queues))
  }
  if ((yield* evictFromMain(queues)) || (yield* evictFromSmall(queues))) return true
  // All of small was read again, and is in main now.
  return yield* evictFromMain(queues)
}

function* evictFromSmall(queues: FifoQueues): Generator<undefined, boolean> {
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

function* evictFromMain(queues: FifoQueues): Generator<undefined, boolean> {
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
