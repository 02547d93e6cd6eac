import { toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { backupStart } from './limits.ts'

/** Queues a backup, which begins at once in one of the site's processes. */
export const startBackup = superadminProcedure
  .meta({ limits: backupStart, audit: 'admin.backup' })
  .mutation(async ({ ctx }): Promise<Record<string, never>> => {
    const { backups, db } = ctx.app
    const standing = await backups.readStanding()
    if (!standing) throw refuse('backup-nowhere')
    if (standing.isRunning) throw refuse('backup-running')
    await transact(db, async (tx) => {
      await backups.start(tx)
      const after = { destination: backups.destination }
      await writeAudit(tx, toActor(ctx), { action: 'admin.backup', target: 'backup', before: null, after })
    })
    return {}
  })
