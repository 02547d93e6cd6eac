import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { migrationNames } from '#server/database/migrate.ts'
import { openScratch } from '#server/database/scratch.ts'
import { BackupFailed, type Manifest } from './format.ts'
import { loadRows } from './load-rows.ts'
import { takeSnapshot } from './snapshot.ts'

/** The rows of a backup as this version has them. */
export interface UpgradedRows {
  readonly folder: string
  readonly tables: Manifest['tables']
}

/**
 * The rows of a backup in `folder` as this version has them. Those of an older one go through the very migrations that its
 * database would go through, in a database made for that. Throws BackupFailed for rows of a newer version.
 */
export async function upgradeRows(manifest: Manifest, folder: string): Promise<UpgradedRows> {
  await refuseNewer(manifest)
  const { migrations, tables } = manifest
  if (migrations.length === (await migrationNames()).length) return { folder, tables }
  const upgraded = join(folder, 'upgraded')
  await mkdir(upgraded)
  await using scratch = await openScratch(join(folder, 'scratch'), migrations.at(-1) ?? '')
  await scratch.db.$transaction((tx) => loadRows(tx, tables, folder), LONG)
  await scratch.migrate()
  const snapshot = await takeSnapshot(scratch.db, upgraded)
  for (const { name } of tables) await rm(join(folder, `${name}.jsonl`))
  return { folder: upgraded, tables: snapshot.tables }
}

/** Throws BackupFailed for rows of a newer version. */
export async function refuseNewer({ migrations, sluice }: Pick<Manifest, 'migrations' | 'sluice'>): Promise<void> {
  const own = await migrationNames()
  if (migrations.every((name, index) => own[index] === name)) return
  throw new BackupFailed(
    `It is of a newer version of Sluice (${sluice}, ${migrations.at(-1)}): restore it with that version.`,
  )
}

/** Milliseconds that inserting all rows may take. */
export const LONG = { timeout: 6 * 60 * 60_000, maxWait: 60_000 }
