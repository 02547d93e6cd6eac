import { setTimeout } from 'node:timers/promises'
import { commandLine, writeAudit } from '#server/audit/audit.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { readDatabaseTime } from '#server/database/database-time.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { JobFailure } from '#server/jobs/job-rows.ts'
import { findErrorText } from '#server/outage.ts'
import { type BackupManifest, FORMAT } from '#server/owner/backup/format.ts'
import { keepPause } from '#server/owner/backup/kept-pause.ts'
import { takeSnapshot } from '#server/owner/backup/snapshot.ts'
import { type ObjectKey, type ObjectStore, snapshotKey } from '#server/storage/object-store.ts'
import { paidBy } from '#server/storage/payer.ts'
import type { TempFolder } from '#server/storage/temp-folder.ts'
import { sluiceVersion } from '#server/version.ts'
import { type Destination, describeDestination, openDestination } from './destination.ts'
import type { BackupDestination } from './destination-settings.ts'
import { lookAgain } from './look-again.ts'
import { namedIn, packSnapshot } from './pack-snapshot.ts'
import { prune } from './prune.ts'
import { beginRun, type Cause, type Progress, type Run } from './run-rows.ts'
import { putVerified, sendObjects } from './send-objects.ts'
import { listSnapshots, readName, type Snapshot } from './snapshots.ts'

export interface RunParts {
  readonly db: PrismaClient
  /** The store of the site's images. */
  readonly store: ObjectStore
  /** For the rows, and for a few objects at a time. */
  readonly temp: TempFolder
  readonly to: BackupDestination
  readonly keep: { readonly count: number; readonly days: number }
  readonly cause: Cause
  readonly signal: AbortSignal
  /** For tests, which let it fail. */
  readonly open?: typeof openDestination
}

/** What a run has done. */
export interface RunReport extends Readonly<Progress> {
  /** The snapshot, as commands call it. */
  readonly name: string
  readonly description: string
  /** Why old backups could not be deleted. */
  readonly unpruned: Error | null
}

/**
 * Makes a backup at a destination, charged to the procedure 'backup': the rows of one moment, every object that they name and the
 * destination lacks, each read again there, and last the snapshot. Then deletes what is no longer kept. Rejects with the reason, which
 * the run's row has too; then the destination has what was sent, for the next run, and no snapshot of it.
 */
export function runBackup(parts: RunParts): Promise<RunReport> {
  return paidBy({ procedure: 'backup', subject: null }, async () => {
    const description = describeDestination(parts.to)
    await using run = await beginRun(parts.db, parts.cause, description)
    try {
      await using destination = await (parts.open ?? openDestination)(parts.to)
      const snapshots = await listSnapshots(destination.snapshots)
      await refuseEmptied(parts.db, destination, snapshots)
      await awaitSecond(parts.db, snapshots)
      if (parts.cause === 'command') await auditRun(parts.db, description)
      const made = await backUp(parts, destination, run)
      const unpruned = await pruneAfter(parts, destination, run, made)
      run.progress.requests = destination.requests()
      await run.end(unpruned && toFailure(unpruned))
      return { ...run.progress, name: readName(made.key).name, description, unpruned }
    } catch (error) {
      // If the database is unavailable, the run lapses.
      await run.end(parts.signal.aborted ? null : toFailure(error)).catch(() => undefined)
      throw error
    }
  })
}

/** The page's audit entry names who pressed the button; a schedule needs none. */
function auditRun(db: PrismaClient, destination: string): Promise<void> {
  const act = { action: 'admin.backup', target: 'backup', before: null, after: { destination } } as const
  return transact(db, (tx) => writeAudit(tx, commandLine(), act))
}

interface Made {
  readonly key: ObjectKey
  /** What the destination has and the snapshot does not name. */
  readonly others: Set<string>
}

async function backUp({ db, store, temp, signal }: RunParts, destination: Destination, run: Run): Promise<Made> {
  await using folder = await temp.create()
  const { manifest, damaged } = await sendAll({ db, store, signal }, destination, folder.path, run)
  await run.check()
  run.progress.step = 'checking'
  const others = await lookAgain(destination.objects, namedIn(manifest, folder.path), new Set(damaged))
  const file = await packSnapshot(folder.path, manifest, damaged)
  const key = snapshotKey(new Date(manifest.createdAt), file.sha256)
  run.assertSure()
  await putVerified(destination.snapshots, key, file, signal)
  run.progress.sentBytes += file.size
  run.progress.snapshot = key
  await run.check()
  return { key, others }
}

/** Takes the rows and sends what they name. Until that is done, no object is deleted from the site's store. */
async function sendAll(
  { db, store, signal }: Pick<RunParts, 'db' | 'store' | 'signal'>,
  destination: Destination,
  folder: string,
  run: Run,
): Promise<{ readonly manifest: BackupManifest; readonly damaged: ObjectKey[] }> {
  await using pause = await keepPause(db)
  const manifest: BackupManifest = { format: FORMAT, sluice: sluiceVersion, ...(await takeSnapshot(db, folder)) }
  const { count: objects, bytes } = manifest.objects
  Object.assign(run.progress, { step: 'objects', objects, bytes })
  const parts = { store, destination: destination.objects, folder, run, signal }
  const damaged = await sendObjects(parts, namedIn(manifest, folder))
  await pause.check()
  return { manifest, damaged }
}

/** Deletes what is no longer kept. The backup stands without it: returns why it failed, unless this is no longer the only run. */
async function pruneAfter(parts: RunParts, destination: Destination, run: Run, { key, others }: Made) {
  const { db, temp, keep, signal } = parts
  run.progress.step = 'pruning'
  try {
    await prune({ db, temp, keep, signal, destination, run }, key, others)
    return null
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Refuses a destination that once had snapshots and has none: more likely a disk that is not mounted than one that was emptied. */
async function refuseEmptied(
  db: PrismaClient,
  { description: destination }: Destination,
  snapshots: readonly Snapshot[],
): Promise<void> {
  const last = await db.backupRun.findFirst({
    where: { destination, snapshot: { not: null } },
    orderBy: { startedAt: 'desc' },
    select: { snapshot: true },
  })
  if (!last?.snapshot || snapshots.length > 0) return
  throw refuse('backup-destination-emptied', { destination, name: readName(last.snapshot).name })
}

/** Snapshots are named by the second of their rows, so that one has to be over before the next is taken. */
async function awaitSecond(db: PrismaClient, [newest]: readonly Snapshot[]): Promise<void> {
  if (!newest) return
  const leftMs = newest.at.getTime() + 1_000 - (await readDatabaseTime(db)).getTime()
  // More than that is left where the clock was set back, which says nothing of this second.
  if (leftMs > 0 && leftMs <= 1_000) await setTimeout(leftMs)
}

/** What is stored of an error: a message in English, and what says it in the reader's language. */
function toFailure(error: unknown): JobFailure {
  const text = findErrorText(error)
  return { message: error instanceof Error ? error.message : String(error), ...(text && { text }) }
}
