import type { Logger } from 'pino'
import type { Config } from '#server/config.ts'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { Removals } from '#server/images/storing/removals.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'
import { backupFolder } from '#server/owner/backup/backup-folder.ts'
import type { Site } from '#server/site/site.ts'
import type { ObjectStore } from '#server/storage/object-store.ts'
import { openTempFolder } from '#server/storage/temp-folder.ts'
import type { WebhookEvent } from '#server/webhooks/events.ts'
import { sendBackup, workBackups } from './backup-jobs.ts'
import { describeDestination } from './destination.ts'
import type { BackupDestination } from './destination-settings.ts'
import { type RunReport, runBackup } from './run-backup.ts'
import type { Cause } from './run-rows.ts'
import { readStanding, type Standing } from './standing.ts'

/** Backups to the destination of the settings, by schedule and on demand. */
export interface Backups {
  /** Where they go, for people; null for nowhere. */
  readonly destination: string | null
  /** Makes a backup now, in this process. Rejects if another is running, or with the reason why it failed. */
  run(cause: Cause, signal: AbortSignal): Promise<RunReport>
  /** Queues a backup, for any process. */
  start(tx: Transaction): Promise<void>
  /** Null without a destination. */
  readStanding(): Promise<Standing | null>
}

interface BackupsParts {
  readonly config: Pick<Config, 'backup' | 'dataDir'>
  readonly db: PrismaClient
  /** The store of the site's images. */
  readonly store: ObjectStore
  readonly jobs: JobQueue
  readonly site: Pick<Site, 'read'>
  readonly removals: Pick<Removals, 'addForgotten'>
  readonly announce: (tx: Transaction, event: WebhookEvent) => Promise<void>
  readonly log: Pick<Logger, 'info' | 'error'>
}

/** Starts making backups in this process. Without a destination, the jobs that it once had find nothing to do. */
export async function openBackups(parts: BackupsParts): Promise<Backups> {
  const { config, db, jobs, site, announce } = parts
  const to = config.backup
  const backups: Backups = {
    destination: to && describeDestination(to),
    run: to ? await prepareRuns(parts, to) : refuseRun,
    start: (tx) => sendBackup(jobs, tx, 'page'),
    readStanding: async () => to && readStanding(db, site.read().backups),
  }
  await workBackups(jobs, { db, announce, ...backups })
  return backups
}

async function refuseRun(): Promise<never> {
  throw refuse('backup-nowhere')
}

async function prepareRuns(
  { config, db, store, site, removals, log }: BackupsParts,
  to: BackupDestination,
): Promise<Backups['run']> {
  const temp = await openTempFolder(backupFolder(config))
  return async (cause, signal) => {
    try {
      const { keep } = site.read().backups
      const report = await runBackup({ db, store, temp, to, keep, cause, signal })
      const { name, sentObjects, sentBytes, unpruned } = report
      log.info({ name, sentObjects, sentBytes }, 'backup finished')
      if (unpruned) log.error({ err: unpruned }, 'old backups could not be deleted')
      return report
    } finally {
      // Objects purged during the backup are deleted now.
      await removals.addForgotten()
    }
  }
}
