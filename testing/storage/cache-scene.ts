import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type CachedStore, type CacheOptions, createCachedStore } from '#server/storage/cached.ts'
import { createDiskStore } from '#server/storage/disk.ts'
import { type ByteRange, type ObjectKey, type ObjectStore, originalKey } from '#server/storage/object-store.ts'
import { type CountedStore, countedStore } from './counted-store.ts'

/** A cache in front of a store that records its reads. */
export interface CacheScene extends AsyncDisposable {
  /** The cache's folder. */
  readonly cacheFolder: string
  /** A folder for the test's own files. */
  readonly folder: string
  readonly below: CountedStore
  readonly store: CachedStore
  /** Failures that the cache reported. */
  readonly troubles: unknown[]
  /** A store of another process over the same folder and the same underlying store, as far as one process can simulate it. */
  another(options?: Partial<CacheOptions>): CachedStore
  /** Adds an object to the underlying store. */
  object(size: number): Promise<{ readonly key: ObjectKey; readonly bytes: Buffer }>
  /** Reads like a caller who knows the object's size. */
  read(key: ObjectKey, range?: ByteRange, store?: ObjectStore): Promise<Buffer>
  /** The cache's files by name, with their bytes. */
  files(): Promise<Map<string, number>>
}

export async function makeCacheScene(
  options: Partial<CacheOptions> & { inner?: ObjectStore } = {},
): Promise<CacheScene> {
  await using made = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'sluice-cache-'))
  made.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  const cacheFolder = join(folder, 'cache')
  const below = countedStore(options.inner ?? (await createDiskStore(join(folder, 'objects'))))
  const troubles: unknown[] = []
  const sizes = new Map<ObjectKey, number>()
  const { inner: _, ...given } = options
  const another = (more: Partial<CacheOptions> = {}) => {
    const trouble = (error: unknown) => troubles.push(error)
    const store = createCachedStore(below.store, { folder: cacheFolder, maxBytes: 100e6, trouble, ...given, ...more })
    running.defer(() => store.close())
    return store
  }
  const running = made.move()
  const store = another()
  return {
    cacheFolder,
    folder,
    below,
    store,
    troubles,
    another,
    async object(size) {
      const bytes = randomBytes(size)
      const key = originalKey(createHash('sha256').update(bytes).digest('hex'))
      const path = join(folder, key)
      await writeFile(path, bytes)
      await below.store.put(key, { path }, size)
      await rm(path)
      sizes.set(key, size)
      return { key, bytes }
    },
    read: async (key, range, from = store) => buffer((await from.open(key, range, sizes.get(key))).body),
    files: () => listCacheFiles(join(cacheFolder, 'objects')),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Returns the files of a cache by name, with their bytes. */
export async function listCacheFiles(root: string): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])) {
    // Another process may remove it in between.
    const file = entry.isFile() && (await stat(join(entry.parentPath, entry.name)).catch(() => null))
    if (file) found.set(entry.name, file.size)
  }
  return found
}

/** Returns the folder of a copy's file, by its name. */
export const findFolder = (name: string): string => String(Math.floor(Number(name) / 1_000))

/** Changes one byte of a copy's file. */
export async function spoilFile(root: string, name: string): Promise<void> {
  const path = join(root, findFolder(name), name)
  const bytes = await readFile(path)
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 8
  await writeFile(path, bytes)
}
