import { translate } from '#messages/translate.ts'
import type { BackupManifest } from '#server/owner/backup/format.ts'
import type { ReadBackup } from '#server/owner/backup/read-backup.ts'
import { exitCodes, type Io, say } from '../command.ts'

/** Missing objects that are listed. */
const LISTED = 20

/** Returns 'created 2026-11-22 02:12 UTC by Sluice 0.1.0, 3 accounts, 40 images, 160 objects (22 MiB)'. */
export function describeBackup({ createdAt, sluice, tables, objects }: BackupManifest): string {
  const rows = (table: string) => tables.find(({ name }) => name === table)?.rows ?? 0
  return translate('cli.owner.contents', {
    at: { at: createdAt },
    version: sluice,
    users: rows('User'),
    images: rows('Image'),
    objects: objects.count,
    size: { bytes: objects.bytes },
  })
}

/** Lists the objects that a backup lacks. Returns the exit code. */
export function reportDamaged(io: Io, { damaged }: ReadBackup): number {
  if (damaged.length === 0) return exitCodes.done
  say(io, translate('cli.owner.damaged', { count: damaged.length }))
  for (const key of damaged.slice(0, LISTED)) say(io, `  ${key}`)
  if (damaged.length > LISTED) say(io, `  ${translate('cli.owner.damagedMore', { count: damaged.length - LISTED })}`)
  say(io, translate('cli.owner.damagedHint'))
  return exitCodes.failed
}
