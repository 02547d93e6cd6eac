import { refuse } from '#server/errors/refuse.ts'
import { listSizes } from '#server/owner/backup/stored-objects.ts'
import type { NamedObject } from '#server/owner/backup/table-lines.ts'
import type { ObjectKey, ObjectStore } from '#server/storage/object-store.ts'
import { atDestination } from './destination.ts'

/**
 * Lists the destination once more: refuses unless it has all these objects but the damaged ones. They must be in the order of their
 * keys. Returns the keys of all others that it has.
 */
export async function lookAgain(
  destination: ObjectStore,
  objects: AsyncIterable<NamedObject>,
  damaged: ReadonlySet<string>,
): Promise<Set<string>> {
  const others = new Set<string>()
  const wanted = objects[Symbol.asyncIterator]()
  let next = await wanted.next()
  // One prefix at a time, so that not all keys are in memory.
  for (const prefix of '0123456789abcdef') {
    const found = new Map(await atDestination(() => listSizes(destination, prefix)))
    for (; !next.done && next.value.key.startsWith(prefix); next = await wanted.next()) {
      const { key, size } = next.value
      const isThere = found.get(key) === size
      found.delete(key)
      if (!isThere && !damaged.has(key)) throw differs(key)
    }
    for (const key of found.keys()) others.add(key)
  }
  return others
}

const differs = (key: ObjectKey) => refuse('backup-copy-differs', { key })
