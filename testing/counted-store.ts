import type { ObjectKey, ObjectStore } from '#server/storage/object-store.ts'

/** What is asked of a store that costs something, and what is to go wrong with it. */
export interface CountedStore {
  readonly store: ObjectStore
  /** Reads of objects, in the order of coming: 'key' for a whole one, 'key 0-9' for a range. */
  readonly opened: readonly string[]
  /** Whole reads and ranges whose stream has been closed. */
  readonly closed: readonly string[]
  /** Called before each read; what it throws is the answer, and it may hold it back. */
  before: (key: ObjectKey) => Promise<void> | void
}

/** A store that says what is read of it. */
export function countedStore(inner: ObjectStore): CountedStore {
  const opened: string[] = []
  const closed: string[] = []
  const counted: CountedStore = {
    opened,
    closed,
    before: () => undefined,
    store: {
      ...inner,
      async open(key, range) {
        const name = range ? `${key} ${range.start}-${range.end}` : key
        opened.push(name)
        await counted.before(key)
        const found = await inner.open(key, range)
        found.body.once('close', () => closed.push(name))
        return found
      },
    },
  }
  return counted
}
