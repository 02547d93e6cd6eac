import { isAbsolute, relative, resolve } from 'node:path'
import { z } from 'zod'
import { InvalidSetting } from '#server/cannot-start.ts'
import { readS3Settings, type S3Settings, s3Variables } from '#server/storage/s3/settings.ts'

/** Where scheduled backups go: a folder on another disk, or another bucket. */
export type BackupDestination =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'bucket'; readonly s3: S3Settings }

/** Stands before the variables of the second bucket, which are those of the first. */
const BEFORE = 'SLUICE_BACKUP_'

/** The settings of the destination by their environment variables. */
export const backupVariables = {
  SLUICE_BACKUP_FOLDER: z.string().optional(),
  SLUICE_BACKUP_S3_BUCKET: s3Variables.S3_BUCKET,
  SLUICE_BACKUP_S3_ENDPOINT: s3Variables.S3_ENDPOINT,
  SLUICE_BACKUP_S3_REGION: s3Variables.S3_REGION,
  SLUICE_BACKUP_S3_ACCESS_KEY_ID: s3Variables.S3_ACCESS_KEY_ID,
  SLUICE_BACKUP_S3_SECRET_ACCESS_KEY: s3Variables.S3_SECRET_ACCESS_KEY,
  SLUICE_BACKUP_S3_PATH_STYLE: s3Variables.S3_PATH_STYLE,
  SLUICE_BACKUP_S3_PREFIX: s3Variables.S3_PREFIX,
  SLUICE_BACKUP_S3_CHECKSUMS: s3Variables.S3_CHECKSUMS,
}

const variables = z.object(backupVariables)

interface Site {
  readonly dataDir: string
  readonly s3: S3Settings | null
}

/** Returns null without a destination. Throws InvalidSetting for two, or for one that would be lost together with the site. */
export function readBackupDestination(values: z.output<typeof variables>, site: Site): BackupDestination | null {
  const s3 = readS3Settings(
    {
      S3_BUCKET: values.SLUICE_BACKUP_S3_BUCKET,
      S3_ENDPOINT: values.SLUICE_BACKUP_S3_ENDPOINT,
      S3_REGION: values.SLUICE_BACKUP_S3_REGION,
      S3_ACCESS_KEY_ID: values.SLUICE_BACKUP_S3_ACCESS_KEY_ID,
      S3_SECRET_ACCESS_KEY: values.SLUICE_BACKUP_S3_SECRET_ACCESS_KEY,
      S3_PATH_STYLE: values.SLUICE_BACKUP_S3_PATH_STYLE,
      S3_PREFIX: values.SLUICE_BACKUP_S3_PREFIX,
      S3_CHECKSUMS: values.SLUICE_BACKUP_S3_CHECKSUMS,
    },
    BEFORE,
  )
  const { SLUICE_BACKUP_FOLDER: folder } = values
  if (folder !== undefined && s3) {
    throw new InvalidSetting('SLUICE_BACKUP_FOLDER and SLUICE_BACKUP_S3_BUCKET exclude each other: set one of them')
  }
  if (s3) {
    if (s3.bucket === site.s3?.bucket && s3.endpoint === site.s3.endpoint) {
      throw new InvalidSetting('SLUICE_BACKUP_S3_BUCKET: is the bucket of the images: name another')
    }
    return { kind: 'bucket', s3 }
  }
  if (folder === undefined) return null
  const path = resolve(folder)
  if (isWithin(path, site.dataDir) || isWithin(site.dataDir, path)) {
    throw new InvalidSetting('SLUICE_BACKUP_FOLDER: must be outside of SLUICE_DATA, best on another disk')
  }
  return { kind: 'folder', path }
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || !(way.startsWith('..') || isAbsolute(way))
}
