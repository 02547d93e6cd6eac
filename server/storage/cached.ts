import { existsSync, rmSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { CacheFiles } from './cache/cache-files.ts'
import { DiskTier } from './cache/disk-tier.ts'
import { discard, discardedIn } from './cache/index-file.ts'
import { MemoryOnly } from './cache/memory-only.ts'
import type { Counts } from './cache/read-counts.ts'
import type { ObjectKey, ObjectStore } from './object-store.ts'

/** Figures of the cache: hits, misses and what is kept. */
export interface CacheFigures extends Counts {
  /** Objects in the cache, and their bytes: on the disk, or in memory when nothing is kept on disk. */
  readonly objects: number
  readonly bytes: number
  readonly maxBytes: number
  /** What the counts cover: all processes of this host since the cache was created, or this process since its start. */
  readonly scope: 'host' | 'process'
}

/** An object store behind a cache. */
export interface CachedStore extends ObjectStore {
  held(key: ObjectKey): Buffer | null
  figures(): CacheFigures
}

export interface CacheOptions {
  /** The folder of the cache, which nothing else uses. */
  readonly folder: string
  /** The most bytes of objects in the folder, over all processes; 0 keeps none and removes those there are. */
  readonly maxBytes: number
  /** Called with failures of the cache itself, which fail no read. */
  readonly trouble: (error: unknown) => void
  /** The disk's own unless a test brings others. */
  readonly files?: CacheFiles
  /** Milliseconds between two looks for removals by other processes. */
  readonly roundMs?: number
}

/** Puts a cache in front of a store: objects that are read are kept on disk, and small ones in memory too. Whole reads
 *  are verified, concurrent readers of an object share one read of the store, and when the cache fails the store is
 *  read instead. A deletion also removes the object from the cache, in other processes of the host within seconds. */
export function createCachedStore(inner: ObjectStore, options: CacheOptions): CachedStore {
  const { maxBytes } = options
  let renewal: Promise<void> | null = null
  const renew = async () => {
    await setImmediate()
    await tier.close()
    tier = open()
  }
  // Once: what is damaged again lies on a bad disk.
  const damaged = () => {
    renewal ??= renew()
  }
  const open = () => openTier(inner, options, damaged)
  let tier = open()
  return {
    put: (key, source, size) => inner.put(key, source, size),
    sizeOf: (key) => inner.sizeOf(key),
    list: (prefix) => inner.list(prefix),
    check: () => inner.check(),
    verify: () => inner.verify(),
    removeUnfinished: (before) => inner.removeUnfinished(before),
    description: inner.description,
    open: (key, range, size) => tier.open(key, range, size),
    held: (key) => tier.held(key),
    async delete(key, signal) {
      try {
        await inner.delete(key, signal)
      } finally {
        // Also when it failed: it may have been carried out. And only now: it might have been fetched again meanwhile.
        tier.forget(key)
      }
    },
    figures: () =>
      tier instanceof DiskTier
        ? { ...tier.figures(), maxBytes, scope: 'host' }
        : { ...tier.figures(), scope: 'process' },
    async close() {
      renewal ??= Promise.resolve()
      await renewal
      await tier.close()
      await inner.close()
    },
  }
}

/** Removes what there may be of a cache. */
function takeAway(folder: string): void {
  if (!existsSync(folder)) return
  discard(folder)
  for (const path of discardedIn(folder)) rmSync(path, { recursive: true, force: true })
}

function openTier(inner: ObjectStore, options: CacheOptions, damaged: () => void): DiskTier | MemoryOnly {
  try {
    if (options.maxBytes > 0) return new DiskTier({ inner, damaged, ...options })
    takeAway(options.folder)
  } catch (error) {
    options.trouble(error)
  }
  return new MemoryOnly(inner)
}
