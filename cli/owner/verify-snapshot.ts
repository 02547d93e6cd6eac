import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atDestination } from '#server/backups/destination.ts'
import { findSnapshot, readSnapshot } from '#server/backups/read-snapshot.ts'
import type { ReadBackup } from '#server/owner/backup/read-backup.ts'
import type { ObjectKey } from '#server/storage/object-store.ts'
import type { Io } from '../command.ts'
import { openSetDestination } from './backup-source.ts'
import { showPercent } from './percent.ts'

/** Reads a snapshot at the destination of the settings, and returns it with its objects that are missing or corrupt there. With
 *  `repair`, these are deleted. */
export async function verifyAt(
  name: string,
  io: Io,
  repair: boolean,
): Promise<{ readonly read: ReadBackup; readonly lost: readonly ObjectKey[] }> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'sluice-verify-'))
  await using destination = await openSetDestination(io)
  const { key } = await findSnapshot(destination, name)
  const percent = showPercent(io)
  const lost: ObjectKey[] = []
  try {
    const read = await readSnapshot(destination, key, {
      folder: folder.path,
      object: async () => undefined,
      progress: (bytes, of = 0) => {
        io.signal.throwIfAborted()
        percent.at('checking', bytes, of)
      },
      stored: { store: destination.objects, lost: (key) => lost.push(key) },
    })
    if (repair) for (const key of lost) await atDestination(() => destination.objects.delete(key))
    return { read, lost }
  } finally {
    percent.end()
  }
}
