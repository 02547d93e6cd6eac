import { rm } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { TRPCError } from '@trpc/server'
import { refuse } from '#server/errors/refuse.ts'
import { findErrorText } from '#server/outage.ts'
import { fetchObject } from '#server/owner/backup/fetch-object.ts'
import { mapAhead } from '#server/owner/backup/map-ahead.ts'
import { sizesByPrefix } from '#server/owner/backup/stored-objects.ts'
import type { NamedObject } from '#server/owner/backup/table-lines.ts'
import type { ObjectKey, ObjectStore } from '#server/storage/object-store.ts'
import { atDestination, isIntact } from './destination.ts'
import type { Run } from './run-rows.ts'

/** Objects sent at once. */
const CONCURRENCY = 4
/** Attempts at an object, in a run of hours. */
const ATTEMPTS = 3

interface Sending {
  /** The store of the site's images. */
  readonly store: ObjectStore
  readonly destination: ObjectStore
  /** For a few objects at a time. */
  readonly folder: string
  readonly run: Run
  readonly signal: AbortSignal
}

/**
 * Sends those objects that the destination does not have, and reads each again there. They must be in the order of their keys.
 * Returns the keys of those that neither the store nor the destination has intact. Throws if the destination fails.
 */
export async function sendObjects(
  { store, destination, folder, run, signal }: Sending,
  objects: AsyncIterable<NamedObject>,
): Promise<ObjectKey[]> {
  const damaged: ObjectKey[] = []
  const { progress } = run
  const send = async ({ key, size }: NamedObject) => {
    signal.throwIfAborted()
    const { copy } = await fetchObject(store, key, folder)
    if (copy) {
      await putVerified(destination, key, copy, signal)
      await rm(copy.path)
      progress.sentObjects += 1
      progress.sentBytes += size
    } else {
      damaged.push(key)
      progress.damaged += 1
    }
    countDone(size)
  }
  const countDone = (size: number) => {
    progress.doneObjects += 1
    progress.doneBytes += size
  }
  const missing = onlyMissing(destination, objects, ({ size }) => countDone(size))
  for await (const _ of mapAhead(missing, CONCURRENCY, send));
  return damaged
}

/** Passes on what the destination lacks, or has in another size. */
async function* onlyMissing(
  destination: ObjectStore,
  objects: AsyncIterable<NamedObject>,
  present: (object: NamedObject) => void,
): AsyncIterable<NamedObject> {
  const sizeThere = sizesByPrefix(destination)
  for await (const object of objects) {
    if ((await atDestination(() => sizeThere(object.key))) === object.size) present(object)
    else yield object
  }
}

/** Puts a file and reads it again. Throws a refusal if the destination fails, or returns other bytes. */
export async function putVerified(
  destination: ObjectStore,
  key: ObjectKey,
  { path, size }: { readonly path: string; readonly size: number },
  signal: AbortSignal,
  pauseMs = 1_000,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted()
    try {
      await atDestination(() => destination.put(key, { path }, size))
      if (await atDestination(() => isIntact(destination, key))) return
      throw refuse('backup-copy-differs', { key })
    } catch (error) {
      // What is not a failure of the destination is not repeated, nor what needs somebody.
      if (!(error instanceof TRPCError) || attempt === ATTEMPTS || isFull(error)) throw error
      await wait(pauseMs * attempt, undefined, { signal })
    }
  }
}

const isFull = (error: TRPCError): boolean => findErrorText(error)?.code === 'backup-destination-full'
