import { formatBytes } from '#format/bytes.ts'
import { count } from '#format/counts.ts'
import { formatUtcMinute } from '#format/dates.ts'
import type { BackupManifest } from '#server/owner/backup/format.ts'
import type { ReadBackup } from '#server/owner/backup/read-backup.ts'
import { exitCodes, type Io, say } from '../command.ts'

/** Objects named one by one. */
const NAMED = 20

/** 'of 2026-11-22 02:12 UTC by Sluice 0.1.0: 3 accounts, 40 images, 160 objects of 22 MiB' */
export function contentOf({ createdAt, sluice, tables, objects }: BackupManifest): string {
  const rows = (table: string, what: string) => count(tables.find(({ name }) => name === table)?.rows ?? 0, what)
  const when = formatUtcMinute(createdAt)
  const bytes = formatBytes(objects.bytes)
  const parts = [rows('User', 'account'), rows('Image', 'image'), `${count(objects.count, 'object')} of ${bytes}`]
  return `of ${when} UTC by Sluice ${sluice}: ${parts.join(', ')}`
}

/** Names the objects that a backup does not have, and answers the exit code that goes with them. */
export function tellDamaged(io: Io, { damaged }: ReadBackup): number {
  if (damaged.length === 0) return exitCodes.done
  say(io, `The store of images did not have ${damaged.length} of the objects, or not those bytes:`)
  for (const key of damaged.slice(0, NAMED)) say(io, `  ${key}`)
  if (damaged.length > NAMED) say(io, `  and ${damaged.length - NAMED} more`)
  say(
    io,
    'They are not in the backup; all else is. Renderings are made anew; originals come back when they are uploaded again.',
  )
  return exitCodes.failed
}
