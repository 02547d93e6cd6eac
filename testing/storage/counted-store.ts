import type { ObjectKey, ObjectStore } from '#server/storage/object-store.ts'

/** Records the requests to a store that charges for them, and the faults that a test sets. */
export interface CountedStore {
  readonly store: ObjectStore
  /** Reads of objects in order: 'key' for a whole object, 'key 0-9' for a range. */
  readonly opened: readonly string[]
  /** Reads of objects and ranges whose stream has been closed. */
  readonly closed: readonly string[]
  /** Called and awaited before each read. An error that it throws fails the read. */
  before: (key: ObjectKey) => Promise<void> | void
}

/** A store that records its reads. */
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
