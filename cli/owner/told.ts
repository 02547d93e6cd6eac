import { formatBytes } from '#app/ui/format.ts'
import { outageOf } from '#server/outage.ts'
import { BackupFailed, type Manifest } from '#server/owner/backup/format.ts'
import type { ReadBackup } from '#server/owner/backup/read-backup.ts'
import { CommandFailed, exitCodes, type Io, say } from '../command.ts'

/** Objects named one by one. */
const NAMED = 20

/** 'of 22 Nov 2026, 02:12 UTC, by Sluice 0.1.0: 3 accounts, 40 images, 160 objects of 22 MB' */
export function contentOf({ createdAt, sluice, tables, objects }: Manifest): string {
  const rows = (table: string) => tables.find(({ name }) => name === table)?.rows ?? 0
  const when = createdAt.replace('T', ' ').slice(0, 16)
  const bytes = formatBytes(objects.bytes)
  return `of ${when} UTC by Sluice ${sluice}: ${rows('User')} accounts, ${rows('Image')} images, ${objects.count} objects of ${bytes}`
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

/** Does `work` for the owner, who is told in a sentence of what he can do something about. */
export async function inWords<T>(io: Io, what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (io.signal.aborted) throw new CommandFailed('interrupted', `${what} was broken off.`)
    const words = error instanceof BackupFailed ? error.message : (outageOf(error)?.message ?? fileWords(error))
    if (words === null) throw error
    throw new CommandFailed('failed', `${what} failed. ${words}`, { cause: error })
  }
}

function fileWords(error: unknown): string | null {
  return error instanceof Error && 'syscall' in error && 'path' in error ? error.message : null
}
