import { isBegun, type JobFailure, readFailure } from '#server/jobs/job-rows.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import type { BackupRun } from '../../generated/prisma/client.ts'
import { backingUp } from './backup-jobs.ts'
import { backupView } from './limits.ts'
import { type Cause, steps } from './run-rows.ts'
import { readName } from './snapshots.ts'
import type { Standing } from './standing.ts'

/** Runs that are listed. */
const SHOWN = 20

export interface BackupRunItem {
  readonly id: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly endedAt: string | null
  readonly state: 'running' | 'good' | 'failed' | 'interrupted'
  readonly cause: Cause
  readonly step: (typeof steps)[number]
  /** What commands call the backup; null unless it is complete. */
  readonly name: string | null
  /** All objects of the backup, those of them that the destination has, and those that were sent, with their bytes. */
  readonly objects: number
  readonly bytes: number
  readonly doneObjects: number
  readonly doneBytes: number
  readonly sentObjects: number
  readonly sentBytes: number
  readonly damaged: number
  readonly pruned: number
  readonly requests: number
  /** Why it failed, or why old backups could not be deleted, and what says it in the reader's language. */
  readonly error: string | null
  readonly errorText: JobFailure['text'] | null
}

export interface BackupsView {
  /** Null if the environment sets none. */
  readonly destination: string | null
  /** ISO 8601. */
  readonly goodAt: string | null
  readonly nextAt: string | null
  readonly isLate: boolean
  /** Whether one runs, or is about to. A failed one that will be repeated is not. */
  readonly isQueued: boolean
  readonly keep: { readonly count: number; readonly days: number }
  /** The newest first. */
  readonly runs: readonly BackupRunItem[]
}

/** Returns where backups go, how they stand, and the last runs. */
export const showBackups = superadminProcedure
  .meta({ limits: backupView })
  .query(async ({ ctx: { app } }): Promise<BackupsView> => {
    const { db, backups, site } = app
    const standing = await backups.readStanding()
    const runs = await db.backupRun.findMany({ orderBy: { startedAt: 'desc' }, take: SHOWN })
    return {
      destination: backups.destination,
      goodAt: standing?.goodAt?.toISOString() ?? null,
      nextAt: standing?.nextAt?.toISOString() ?? null,
      isLate: standing?.isLate ?? false,
      isQueued: await isBegun(db, backingUp.name),
      keep: site.read().backups.keep,
      runs: runs.map((run) => toItem(run, standing?.now ?? new Date())),
    }
  })

function toItem(run: BackupRun, now: Standing['now']): BackupRunItem {
  const { id, startedAt, endedAt, snapshot, failure } = run
  const { objects, doneObjects, sentObjects, damaged, pruned, requests } = run
  const reason = readFailure(failure)
  return {
    ...{ id, objects, doneObjects, sentObjects, damaged, pruned, requests },
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    state: stateOf(run, now),
    cause: run.cause === 'page' || run.cause === 'command' ? run.cause : 'schedule',
    step: steps.find((step) => step === run.step) ?? 'rows',
    name: snapshot && readName(snapshot).name,
    bytes: Number(run.bytes),
    doneBytes: Number(run.doneBytes),
    sentBytes: Number(run.sentBytes),
    error: reason?.message ?? null,
    errorText: reason?.text ?? null,
  }
}

function stateOf({ endedAt, aliveUntil, snapshot, failure }: BackupRun, now: Date): BackupRunItem['state'] {
  if (endedAt === null && aliveUntil > now) return 'running'
  if (snapshot !== null) return 'good'
  // One that was stopped has none.
  return failure === null ? 'interrupted' : 'failed'
}
