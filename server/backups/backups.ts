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
import { type RunReport, runBackup } from './run-backup.ts'
import type { Cause } from './run-rows.ts'
import { readStanding, type Standing } from './standing.ts'

/** Backups to the destination of the settings, by schedule and on demand. */
export interface Backups {
  /** Where they go, for people; null for nowhere. */
  readonly destination: string | null
  /** Makes a backup now, in this process. Rejects if another is running, or with the reason why it failed. */
  run(cause: Cause, signal: AbortSignal): Promise<RunReport>
  /** Queues a backup, for any process. Refuses without a destination. */
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

/** Starts making backups in this process, if there is a destination. */
export async function openBackups(parts: BackupsParts): Promise<Backups> {
  const { config, db, store, jobs, site, removals, announce, log } = parts
  const to = config.backup
  if (to === null) {
    const refused = async () => {
      throw refuse('backup-nowhere')
    }
    return { destination: null, run: refused, start: refused, readStanding: async () => null }
  }
  const temp = await openTempFolder(backupFolder(config))
  const settings = () => site.read().backups
  const run: Backups['run'] = async (cause, signal) => {
    try {
      const report = await runBackup({ db, store, temp, to, keep: settings().keep, cause, signal })
      const { name, sentObjects, sentBytes, unpruned } = report
      log.info({ name, sentObjects, sentBytes }, 'backup finished')
      if (unpruned) log.error({ err: unpruned }, 'old backups could not be deleted')
      return report
    } finally {
      // Objects purged during the backup are deleted now.
      await removals.addForgotten()
    }
  }
  await workBackups(jobs, { db, settings, run, announce })
  return {
    destination: describeDestination(to),
    run,
    start: (tx) => sendBackup(jobs, tx, 'page'),
    readStanding: () => readStanding(db, settings()),
  }
}
