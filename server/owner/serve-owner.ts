import { Removals } from '#server/images/storing/removals.ts'
import { limitsCommands } from '#server/limit-admin/transfer/limits-commands.ts'
import type { Services } from '#server/services.ts'
import { openTempFolder } from '#server/storage/temp-folder.ts'
import { backupFolder } from './backup/backup-folder.ts'
import { type Backup, openBackup } from './backup/write-backup.ts'
import { type ControlServer, openControl } from './control-server.ts'

/** Serves the owner's commands on the socket of the data folder. Close it before the app. */
export async function serveOwner(
  app: Pick<Services, 'db' | 'images' | 'jobs' | 'backups' | 'limitAdmin' | 'config' | 'log'>,
): Promise<ControlServer> {
  const { db, images, jobs, backups, config, log } = app
  const temp = await openTempFolder(backupFolder(config))
  const removals = new Removals(db, jobs)
  const backup = async (): Promise<Backup> => {
    const { ended, ...begun } = await openBackup({ db, store: images.store, temp })
    // Objects purged during the backup are deleted now.
    return { ...begun, ended: ended.then(() => removals.addForgotten()) }
  }
  const { dataDir, origin } = config
  const limits = limitsCommands(db, app.limitAdmin.overrides)
  return openControl({ db, dataDir, origin, limits, backup, run: (signal) => backups.run('command', signal), log })
}
