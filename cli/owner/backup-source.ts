import { stat } from 'node:fs/promises'
import { translate } from '#messages/translate.ts'
import type { BackupReader } from '#server/owner/backup/read-backup.ts'
import type { ReadSource } from '#server/owner/backup/restore-backup.ts'
import { CommandFailed, type Io } from '../command.ts'
import { readSettings } from './access.ts'

/** Called with the number of bytes read so far, and the total. */
type Progress = (bytes: number, of: number) => void

/** A backup that a command reads. */
export interface BackupSource {
  /** For messages. */
  readonly name: string
  open(progress: Progress): Promise<AsyncDisposable & { readonly read: ReadSource }>
}

/** A backup in a file. */
export const fileSource = (file: string): BackupSource => ({
  name: file,
  async open(progress) {
    const { readBackup } = await import('#server/owner/backup/read-backup.ts')
    const { size } = await stat(file)
    const read = (reader: BackupReader) => readBackup(file, withProgress(reader, progress, size))
    return { read, [Symbol.asyncDispose]: async () => undefined }
  },
})

/** A snapshot at the destination of the settings: its name, or `latest`. */
export const snapshotSource = (name: string, io: Io): BackupSource => ({
  name,
  async open(progress) {
    const { findSnapshot, readSnapshot } = await import('#server/backups/read-snapshot.ts')
    const destination = await openSetDestination(io)
    const { key } = await findSnapshot(destination, name)
    const read = (reader: BackupReader) => readSnapshot(destination, key, withProgress(reader, progress))
    return { read, [Symbol.asyncDispose]: () => destination[Symbol.asyncDispose]() }
  },
})

/** Opens the destination of the settings. Throws CommandFailed without one. */
export async function openSetDestination(io: Io) {
  const { backup } = await readSettings(io)
  if (backup === null) throw new CommandFailed('failed', translate('errors.backup-nowhere'))
  const { openDestination } = await import('#server/backups/destination.ts')
  return openDestination(backup)
}

function withProgress(reader: BackupReader, progress: Progress, of = 0): BackupReader {
  return {
    ...reader,
    progress: (bytes, total) => {
      progress(bytes, total ?? of)
      reader.progress?.(bytes)
    },
  }
}
