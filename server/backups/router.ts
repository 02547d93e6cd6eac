import { router } from '#server/trpc/init.ts'
import { showBackups } from './show-backups.ts'
import { startBackup } from './start-backup.ts'

export const backupRouter = router({ show: showBackups, start: startBackup })
