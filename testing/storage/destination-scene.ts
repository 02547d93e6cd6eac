import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDestination } from '#server/backups/destination.ts'
import type { BackupDestination } from '#server/backups/destination-settings.ts'
import { findSnapshot, readSnapshot } from '#server/backups/read-snapshot.ts'
import { type RunParts, type RunReport, runBackup } from '#server/backups/run-backup.ts'
import { restoreBackup } from '#server/owner/backup/restore-backup.ts'
import type { DataPlace } from './backup-scene.ts'

/** A folder for backups, deleted on disposal. */
export async function openFolder(): Promise<
  AsyncDisposable & { readonly path: string; readonly to: BackupDestination }
> {
  const path = await mkdtemp(join(tmpdir(), 'sluice-destination-'))
  return { path, to: { kind: 'folder', path }, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

/** Backs a place up. By default, everything is kept. */
export function backUpTo(
  { db, store, temp }: Pick<DataPlace, 'db' | 'store' | 'temp'>,
  to: BackupDestination,
  parts: Partial<RunParts> = {},
): Promise<RunReport> {
  const keep = { count: 1_000, days: 0 }
  return runBackup({ db, store, temp, to, keep, cause: 'schedule', signal: new AbortController().signal, ...parts })
}

/** Restores a snapshot into a place that stays open. */
export async function restoreSnapshot(place: DataPlace, to: BackupDestination, name = 'latest') {
  await using destination = await openDestination(to)
  const { key } = await findSnapshot(destination, name)
  return restoreBackup((reader) => readSnapshot(destination, key, reader), {
    open: async () => ({ ...place, [Symbol.asyncDispose]: async () => undefined }),
    secret: 'another secret',
    origin: 'https://images.example.org',
    progress: () => undefined,
  })
}
