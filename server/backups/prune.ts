import type { PrismaClient } from '#server/database/database.ts'
import { readDatabaseTime } from '#server/database/database-time.ts'
import { refuse } from '#server/errors/refuse.ts'
import { tableFilePath } from '#server/owner/backup/snapshot.ts'
import { readKeys } from '#server/owner/backup/table-lines.ts'
import { isObjectKey } from '#server/storage/object-store.ts'
import type { TempFolder } from '#server/storage/temp-folder.ts'
import { atDestination, type Destination } from './destination.ts'
import { readSnapshot } from './read-snapshot.ts'
import type { Run } from './run-rows.ts'
import { expired } from './schedule.ts'
import { listSnapshots, type Snapshot } from './snapshots.ts'

/** How long an object stays after no snapshot names it any more: that of a restore, or of a mistake. */
const DAY_MS = 24 * 60 * 60_000
/** Rows per statement. */
const PAGE = 1_000
/** Objects deleted between two looks at the lock. */
const CHECK_EACH = 100

export interface PruneParts {
  readonly db: PrismaClient
  readonly destination: Destination
  readonly temp: TempFolder
  readonly keep: { readonly count: number; readonly days: number }
  readonly run: Run
  readonly signal: AbortSignal
}

/**
 * Deletes the snapshots that are no longer kept, and the objects that no snapshot has named for a day. `current` is the snapshot that
 * was just made and `others` are the objects that it does not name. Refuses to delete objects while a snapshot cannot be read.
 */
export async function prune(parts: PruneParts, current: string, others: Set<string>): Promise<void> {
  const { db, destination, keep, run, signal } = parts
  const now = await readDatabaseTime(db)
  const snapshots = await listSnapshots(destination.snapshots)
  const old = expired(snapshots, now, keep).filter(({ key }) => key !== current)
  await run.check()
  for (const { key } of old) {
    run.assertSure()
    await atDestination(() => destination.snapshots.delete(key, signal))
  }
  const kept = snapshots.filter((snapshot) => !old.includes(snapshot) && snapshot.key !== current)
  for (const snapshot of kept) {
    // Nothing to delete needs no reading.
    if (others.size > 0) await leaveNamed(parts, snapshot, others)
  }
  await deleteDue(parts, await noteLeftovers(db, others, new Date(now.getTime() - DAY_MS), now))
  const before = new Date(now.getTime() - DAY_MS)
  for (const store of [destination.objects, destination.snapshots])
    await atDestination(() => store.removeUnfinished(before))
}

/** Takes the objects that a snapshot names from the set. */
async function leaveNamed({ destination, temp, signal }: PruneParts, snapshot: Snapshot, others: Set<string>) {
  signal.throwIfAborted()
  await using folder = await temp.create()
  const { manifest } = await readSnapshot(destination, snapshot.key, { folder: folder.path, stored: null }).catch(
    (error: unknown) => {
      throw error instanceof Error && error.name === 'BackupFailed'
        ? refuse('backup-snapshot-unreadable', { name: snapshot.name })
        : error
    },
  )
  const table = manifest.tables.find(({ name }) => name === 'StoredObject')
  if (!table) return
  for await (const key of readKeys(tableFilePath(folder.path, table.name), table)) others.delete(key)
}

/** Notes since when these objects are named by no snapshot, and forgets all others. Returns those noted before `before`. */
async function noteLeftovers(
  db: PrismaClient,
  others: ReadonlySet<string>,
  before: Date,
  since: Date,
): Promise<readonly string[]> {
  const noted = await db.backupLeftover.findMany()
  await forget(
    db,
    noted.flatMap(({ key }) => (others.has(key) ? [] : [key])),
  )
  const added = [...others].map((key) => ({ key, since }))
  for (let at = 0; at < added.length; at += PAGE)
    await db.backupLeftover.createMany({ data: added.slice(at, at + PAGE), skipDuplicates: true })
  return noted.flatMap(({ key, since }) => (others.has(key) && since <= before ? [key] : []))
}

async function forget(db: PrismaClient, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += PAGE)
    await db.backupLeftover.deleteMany({ where: { key: { in: keys.slice(at, at + PAGE) } } })
}

async function deleteDue({ db, destination, run, signal }: PruneParts, due: readonly string[]): Promise<void> {
  for (const [index, key] of due.entries()) {
    if (index % CHECK_EACH === 0) await run.check()
    run.assertSure()
    if (!isObjectKey(key)) continue
    await atDestination(() => destination.objects.delete(key, signal))
    run.progress.pruned += 1
  }
  await forget(db, due)
}
