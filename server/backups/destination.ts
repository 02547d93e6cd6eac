import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { refuse } from '#server/errors/refuse.ts'
import { findOutage } from '#server/outage.ts'
import { createDiskStore } from '#server/storage/disk.ts'
import { unmetered } from '#server/storage/meter.ts'
import {
  ObjectCorrupt,
  type ObjectKey,
  ObjectNotFound,
  type ObjectStore,
  ObjectStoreUnavailable,
} from '#server/storage/object-store.ts'
import { defaultDeadlines } from '#server/storage/s3/bucket.ts'
import { failedAnswer } from '#server/storage/s3/failure.ts'
import { createS3Store } from '#server/storage/s3/s3.ts'
import type { BackupDestination } from './destination-settings.ts'

/*
 * A destination has objects/<key>, as the store of images has them, and snapshots/<time>/rows.<hash>.tar.gz: the rows of one moment,
 * as in a backup's file. Both are stores of their own, so that everything is verified when it is read. A snapshot is written after
 * all that it names, and nothing that a snapshot names is deleted.
 */
export interface Destination extends AsyncDisposable {
  /** For people: contains no credentials. */
  readonly description: string
  readonly objects: ObjectStore
  readonly snapshots: ObjectStore
  /** Requests to a bucket so far; 0 for a folder. */
  requests(): number
}

export function describeDestination(destination: BackupDestination): string {
  if (destination.kind === 'folder') return destination.path
  const { bucket, endpoint, region, prefix } = destination.s3
  return [bucket, prefix && `/${prefix.slice(0, -1)}`, ` (${endpoint ?? `AWS ${region}`})`].join('')
}

/** Opens a destination. Refuses a folder that does not exist: where a disk is not mounted, backups must not fill another. */
export async function openDestination(
  destination: BackupDestination,
  deadlines = defaultDeadlines,
): Promise<Destination> {
  const description = describeDestination(destination)
  if (destination.kind === 'bucket') {
    const { s3 } = destination
    const open = (folder: string) => createS3Store({ ...s3, prefix: `${s3.prefix}${folder}/` }, unmetered, deadlines)
    const [objects, snapshots] = [open('objects'), open('snapshots')]
    const requests = () =>
      [objects, snapshots].flatMap(({ attempts }) => Object.values(attempts)).reduce((sum, each) => sum + each, 0)
    return {
      ...{ description, objects, snapshots, requests },
      async [Symbol.asyncDispose]() {
        await objects.close()
        await snapshots.close()
      },
    }
  }
  const { path } = destination
  const found = await stat(path).catch(() => null)
  if (!found?.isDirectory()) throw refuse('backup-folder-missing', { folder: path })
  const open = (folder: string) =>
    createDiskStore(join(path, folder)).catch((cause: unknown) => {
      throw new ObjectStoreUnavailable('disk failure', { cause })
    })
  return {
    description,
    objects: await atDestination(() => open('objects')),
    snapshots: await atDestination(() => open('snapshots')),
    requests: () => 0,
    [Symbol.asyncDispose]: async () => undefined,
  }
}

/** Does work at the destination; what fails there is said of the destination, and not of the store of images. */
export async function atDestination<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw explain(error)
  }
}

/** The same for what is listed there. */
export async function* listAt(store: ObjectStore, prefix: string): ReturnType<ObjectStore['list']> {
  try {
    yield* store.list(prefix)
  } catch (error) {
    throw explain(error)
  }
}

function explain(error: unknown): unknown {
  // What fails besides the stores, such as the folder for temporary files, says so itself.
  if (!(error instanceof ObjectStoreUnavailable)) return error
  if (findOutage(error)?.text.code === 'disk-full') return refuse('backup-destination-full')
  return refuse('backup-destination-fails', { detail: detailOf(error) })
}

/** What the system or the bucket says: AccessDenied, ECONNREFUSED, 403. */
function detailOf(error: Error): string {
  const answer = failedAnswer(error)
  if (answer) return answer.Code ?? String(answer.$metadata.httpStatusCode)
  const cause = error.cause instanceof Error ? error.cause : error
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}

/** Reads an object to its end, which fails unless its bytes match its key. Returns false for other bytes, or none. */
export async function isIntact(store: ObjectStore, key: ObjectKey): Promise<boolean> {
  try {
    const { body } = await store.open(key)
    for await (const _ of body);
    return true
  } catch (error) {
    if (error instanceof ObjectCorrupt || error instanceof ObjectNotFound) return false
    throw error
  }
}
