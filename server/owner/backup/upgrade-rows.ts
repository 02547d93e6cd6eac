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
}

/**
 * Returns the rows of a backup in `folder` in the schema of this version. Rows of an older version are loaded into a
 * temporary database and migrated there. Throws BackupFailed for rows of a newer version.
 */
export async function upgradeRows(manifest: BackupManifest, folder: string): Promise<UpgradedRows> {
  await refuseNewer(manifest)
  const { migrations, tables } = manifest
  if (migrations.length === (await migrationNames()).length) return { folder, tables }
  const upgraded = join(folder, 'upgraded')
  await mkdir(upgraded)
  await using scratch = await openScratch(join(folder, 'scratch'), migrations.at(-1) ?? '')
  await scratch.db.$transaction((tx) => loadRows(tx, tables, folder), LONG_TRANSACTION)
  await scratch.migrate()
  const snapshot = await takeSnapshot(scratch.db, upgraded)
  for (const { name } of tables) await rm(join(folder, `${name}.jsonl`))
  return { folder: upgraded, tables: snapshot.tables }
}

/** Throws BackupFailed for rows of a newer version. */
export async function refuseNewer({
  migrations,
  sluice,
}: Pick<BackupManifest, 'migrations' | 'sluice'>): Promise<void> {
  const own = await migrationNames()
  if (migrations.every((name, index) => own[index] === name)) return
  throw new BackupFailed(
    `It was made by a newer version of Sluice (${sluice}, ${migrations.at(-1)}). Restore it with that version.`,
  )
}

/** For transactions that insert all rows: up to 6 hours. */
export const LONG_TRANSACTION = { timeout: 6 * 60 * 60_000, maxWait: 60_000 }
