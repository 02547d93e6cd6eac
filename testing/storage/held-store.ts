import { buffer } from 'node:stream/consumers'
import { imageOfKey, type ObjectKey, type ObjectStore } from '#server/storage/object-store.ts'

/** The size in bytes of the largest object that is held. */
const LARGEST = 1024 * 1024

/** Adds a memory tier to a store: small objects are held once they have been read. For tests and benchmarks of reads from
 *  memory. */
export function holdInMemory(store: ObjectStore): void {
  const held = new Map<ObjectKey, Buffer>()
  const { open, delete: remove } = store
  Object.assign(store, {
    held: (key: ObjectKey) => held.get(key) ?? null,
    open: async (key: ObjectKey, range: Parameters<typeof open>[1]) => {
      if (!held.has(key) && ((await store.readSize(key)) ?? LARGEST) < LARGEST)
        held.set(key, await buffer((await open.call(store, key)).body))
      return open.call(store, key, range)
    },
    delete: async (key: ObjectKey, signal?: AbortSignal) => {
      for (const each of held.keys()) if (imageOfKey(each) === imageOfKey(key)) held.delete(each)
      await remove.call(store, key, signal)
    },
  })
}
