import { fetchObject } from '#server/owner/backup/fetch-object.ts'
import { BackupFailed } from '#server/owner/backup/format.ts'
import { type BackupReader, type ReadBackup, readBackup } from '#server/owner/backup/read-backup.ts'
import type { ObjectKey } from '#server/storage/object-store.ts'
import { atDestination, type Destination } from './destination.ts'
import { listSnapshots, type Snapshot } from './snapshots.ts'

/** Reads a snapshot as a backup's file is read. Throws BackupFailed for one that is missing, corrupt, or lacks objects. */
export async function readSnapshot(
  destination: Destination,
  key: ObjectKey,
  reader: BackupReader,
): Promise<ReadBackup> {
  const { copy } = await atDestination(() => fetchObject(destination.snapshots, key, reader.folder))
  if (!copy) throw new BackupFailed(`The snapshot ${key} is missing or corrupt. Choose another.`)
  const stored = reader.stored === undefined ? { store: destination.objects } : reader.stored
  return atDestination(() => readBackup(copy.path, { ...reader, stored }))
}

/** Returns a snapshot by its name, or the newest by `latest`. Throws BackupFailed if there is none. */
export async function findSnapshot({ snapshots, description }: Destination, name: string): Promise<Snapshot> {
  const all = await listSnapshots(snapshots)
  const found = name === 'latest' ? all[0] : all.find((each) => each.name === name)
  if (found) return found
  const names = all.slice(0, 5).map((each) => each.name)
  throw new BackupFailed(
    all.length === 0
      ? `${description} has no snapshots.`
      : `${description} has no snapshot ${name}. The newest are ${names.join(', ')}.`,
  )
}
