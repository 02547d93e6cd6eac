import { join } from 'node:path'

/** The folder for the temporary files of backups and restores. */
export const backupFolder = ({ dataDir }: { readonly dataDir: string }): string => join(dataDir, 'backup-tmp')
