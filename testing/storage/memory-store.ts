import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { type ObjectKey, ObjectNotFound, type ObjectStore } from '#server/storage/object-store.ts'

/** A store in memory, for tests that create thousands of stores. `objects` is its content. */
export function createMemoryStore(): { readonly store: ObjectStore; readonly objects: Map<ObjectKey, Buffer> } {
  const objects = new Map<ObjectKey, Buffer>()
  const store: ObjectStore = {
    description: 'memory',
    put: async (key, { path }) => void objects.set(key, await readFile(path)),
    async open(key, range) {
      const bytes = objects.get(key)
      if (!bytes) throw new ObjectNotFound(key)
      const part = range ? bytes.subarray(range.start, range.end + 1) : bytes
      return { body: Readable.from([part]), size: bytes.length }
    },
    readSize: async (key) => objects.get(key)?.length ?? null,
    delete: async (key) => void objects.delete(key),
    async *list(prefix) {
      for (const [key, { length }] of [...objects]) {
        if (key.startsWith(prefix)) yield { key, size: length, modifiedAt: new Date(0) }
      }
    },
    check: async () => undefined,
    verify: async () => [],
    removeUnfinished: async () => 0,
    close: async () => undefined,
  }
  return { store, objects }
}
