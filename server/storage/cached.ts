import { existsSync, rmSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { CacheFiles } from './cache/cache-files.ts'
import { DiskTier } from './cache/disk-tier.ts'
import { discard, discardedIn } from './cache/index-file.ts'
import { MemoryOnly } from './cache/memory-only.ts'
import type { ReadTotals } from './cache/read-counts.ts'
import type { ObjectKey, ObjectStore } from './object-store.ts'

/** Figures of the cache: hits, misses and contents. */
export interface CacheFigures extends ReadTotals {
  /** Cached objects and their total bytes: on disk, or in memory when the disk cache is off. */
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
  /** A folder that only the cache uses. */
  readonly folder: string
  /** Bytes that cached objects may occupy on disk, over all processes of the host. 0 turns the disk cache off and
   *  deletes it. */
  readonly maxBytes: number
  /** Called with failures of the cache itself. They never fail a read. */
  readonly trouble: (error: unknown) => void
  /** Called with the milliseconds that each write to the index waited for other processes. */
  readonly waited?: (ms: number) => void
  /** For tests; the default writes to the real disk. */
  readonly files?: CacheFiles
  /** Milliseconds between checks for deletions by other processes. */
  readonly roundMs?: number
}

/** Puts a cache in front of a store: objects that are read are kept on disk, small ones in memory too. Whole reads are
 *  verified, concurrent readers of an object share one read of the store, and if the cache fails the store is read
 *  instead. A deletion also removes the object from the cache, in the other processes of the host within seconds. */
export function createCachedStore(inner: ObjectStore, options: CacheOptions): CachedStore {
  const { maxBytes } = options
  let renewal: Promise<void> | null = null
  const renew = async () => {
    await setImmediate()
    await tier.close()
    tier = open()
  }
  // Only once: if the new index is damaged as well, the disk is bad.
  const damaged = () => {
    renewal ??= renew()
  }
  const open = () => openTier(inner, options, damaged)
  let tier = open()
  return {
    // The first read of an image is as slow as if nobody else had it.
    put: (key, source, size) => inner.put(key, source, size).finally(() => tier.forget(key)),
    readSize: (key) => inner.readSize(key),
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
        // Even after a failed delete, which may have been carried out. Not before it, or the object could be fetched
        // again in between.
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

function removeCache(folder: string): void {
  if (!existsSync(folder)) return
  discard(folder)
  for (const path of discardedIn(folder)) rmSync(path, { recursive: true, force: true })
}

function openTier(inner: ObjectStore, options: CacheOptions, damaged: () => void): DiskTier | MemoryOnly {
  try {
    if (options.maxBytes > 0) return new DiskTier({ inner, damaged, ...options })
    removeCache(options.folder)
  } catch (error) {
    options.trouble(error)
  }
  return new MemoryOnly(inner)
}
