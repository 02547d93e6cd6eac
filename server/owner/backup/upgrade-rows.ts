import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { migrationNames } from '#server/database/migrate.ts'
import { openScratch } from '#server/database/scratch.ts'
import { BackupFailed, type BackupManifest } from './format.ts'
import { loadRows } from './load-rows.ts'
import { takeSnapshot } from './snapshot.ts'

export interface UpgradedRows {
  readonly folder: string
  readonly tables: BackupManifest['tables']
  readonly isNewer: boolean
}

/**
 * Returns the rows of a backup in `folder` in the schema of this version. Rows of an older version are loaded into a
 * temporary database and migrated there; those of a newer one stay as they are. Throws BackupFailed for rows of another line.
 */
export async function upgradeRows(manifest: BackupManifest, folder: string): Promise<UpgradedRows> {
  const isNewer = await isOfNewerVersion(manifest)
  const { migrations, tables } = manifest
  if (isNewer || migrations.length === (await migrationNames()).length) return { folder, tables, isNewer }
  const upgraded = join(folder, 'upgraded')
  await mkdir(upgraded)
  await using scratch = await openScratch(join(folder, 'scratch'), migrations.at(-1) ?? '')
  await scratch.db.$transaction((tx) => loadRows(tx, { tables, isNewer }, folder), LONG_TRANSACTION)
  await scratch.migrate()
  const snapshot = await takeSnapshot(scratch.db, upgraded)
  for (const { name } of tables) await rm(join(folder, `${name}.jsonl`))
  return { folder: upgraded, tables: snapshot.tables, isNewer }
}

/**
 * Returns whether a newer version wrote the rows. This version can use them, because migrations only expand: the newer schema has
 * all of this one's tables and columns, unless one was dropped since, which loading finds. Throws BackupFailed for rows of another
 * line of versions.
 */
export async function isOfNewerVersion({
  migrations,
  sluice,
}: Pick<BackupManifest, 'migrations' | 'sluice'>): Promise<boolean> {
  const own = await migrationNames()
  if (migrations.every((name, index) => own[index] === name)) return false
  if (own.every((name) => migrations.includes(name))) return true
  throw new BackupFailed(
    `It was made by another version of Sluice (${sluice}, ${migrations.at(-1)}). Restore it with that version.`,
  )
}

/** For transactions that insert all rows: up to 6 hours. */
export const LONG_TRANSACTION = { timeout: 6 * 60 * 60_000, maxWait: 60_000 }
