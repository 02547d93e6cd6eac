import { join } from 'node:path'
import { Removals } from '#server/images/storing/removals.ts'
import type { Services } from '#server/services.ts'
import { openTempFolder } from '#server/storage/temp-folder.ts'
import { type Backup, openBackup } from './backup/write-backup.ts'
import { type ControlServer, openControl } from './control-server.ts'

/** Serves the owner's commands on the socket of the data folder. Close it before the app. */
export async function serveOwner(
  app: Pick<Services, 'db' | 'images' | 'jobs' | 'config' | 'log'>,
): Promise<ControlServer> {
  const { db, images, jobs, config, log } = app
  const temp = await openTempFolder(backupFolder(config))
  const removals = new Removals(db, jobs)
  const backup = async (): Promise<Backup> => {
    const { ended, ...begun } = await openBackup({ db, store: images.store, temp })
    // Objects purged during the backup are deleted now.
    return { ...begun, ended: ended.then(() => removals.addForgotten()) }
  }
  return openControl({ db, dataDir: config.dataDir, origin: config.origin, backup, log })
}

/** The folder for the temporary files of backups and restores. */
export const backupFolder = ({ dataDir }: { readonly dataDir: string }): string => join(dataDir, 'backup-tmp')
