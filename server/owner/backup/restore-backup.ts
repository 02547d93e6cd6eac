import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandLine, writeAudit } from '#server/audit/audit.ts'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { listEndedApps } from '#server/identity/ended-apps.ts'
import { listEndedProviders } from '#server/identity/oidc/ended-providers.ts'
import { listEndedPasskeys } from '#server/identity/passkeys/ended-passkeys.ts'
import type { Opened } from '#server/owner/open-directly.ts'
import { hasEndedPassword } from '#server/site/secret-settings.ts'
import type { SiteTexts } from '#server/site/settings.ts'
import { readSettingsRow } from '#server/site/settings-row.ts'
import type { ObjectKey, ObjectStore } from '#server/storage/object-store.ts'
import { paidBy } from '#server/storage/payer.ts'
import { readCatalogue } from './catalogue.ts'
import { BackupFailed, type BackupManifest } from './format.ts'
import { keepPause } from './kept-pause.ts'
import { compareTables, isFilled, type LoadedTables, loadRows } from './load-rows.ts'
import type { BackupReader, ReadBackup } from './read-backup.ts'
import { tableFilePath } from './snapshot.ts'
import { readKeys } from './table-lines.ts'
import { isOfNewerVersion, LONG_TRANSACTION, upgradeRows } from './upgrade-rows.ts'

export interface RestoreParts {
  /** Opens the target. Called once the file is verified, so that nothing is created for a damaged one; closed at the end. */
  readonly open: () => Promise<Opened>
  /** The site's secret; null if the next start creates one. */
  readonly secret: string | null
  /** Settings of Admin > Site that the environment sets. */
  readonly site?: SiteTexts
  /** The site's address from now on. */
  readonly origin: string
  /** Called with the current step and the number of bytes processed. */
  readonly progress: (step: 'checking' | 'objects' | 'rows', bytes: number) => void
}

/** Reads a backup, from a file or elsewhere, and verifies it. Called twice: first without `object`. */
export type ReadSource = (reader: BackupReader) => Promise<ReadBackup>

/**
 * Restores a backup into an empty database and store: verifies it, rehearses the insertion of its rows,
 * puts the objects, then inserts all rows in one transaction. Throws BackupFailed; then no row is inserted, and a restore
 * may be tried again over the objects already put. The rows are kept in the system's temporary folder until then.
 */
export function restoreBackup(
  readSource: ReadSource,
  { open, secret, origin, site = {}, progress }: RestoreParts,
): Promise<RestoredBackup> {
  return paidBy({ procedure: 'restore', subject: null }, async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'sluice-restore-'))
    const check = (bytes: number) => progress('checking', bytes)
    const read = await readSource({ folder: folder.path, progress: check })
    await isOfNewerVersion(read.manifest)
    await using place = await open()
    const { db, store, temp, settle } = place
    await refuseFilled(db)
    await refuseForeignObjects(store, read.manifest, folder.path)
    const rows = await upgradeRows(read.manifest, folder.path)
    await rehearse(db, rows)
    await using pause = await keepPause(db)
    await using second = await temp.create()
    await readSource({
      folder: second.path,
      progress: (bytes) => progress('objects', bytes),
      object: (key, copy) => store.put(key, copy, copy.size),
    })
    await pause.check()
    await settle()
    progress('rows', 0)
    await loadAll(db, rows, read.manifest)
    const { unknown } = compareTables(await db.$transaction(readCatalogue), rows.tables)
    const { texts } = await readSettingsRow(db)
    const hasEndedMailPassword = hasEndedPassword(secret === null ? null : { secret }, texts, site)
    const endedApps = await listEndedApps(db, secret)
    const endedProviders = await listEndedProviders(db, secret)
    const endedPasskeys = await listEndedPasskeys(db, { origin })
    return { ...read, unknown, endedApps, endedPasskeys, endedProviders, hasEndedMailPassword }
  })
}

interface Rows extends LoadedTables {
  readonly folder: string
}

/** A backup that was restored. */
export interface RestoredBackup extends ReadBackup {
  /** Tables and columns of a newer version, which were left out. */
  readonly unknown: readonly string[]
  /** The user names of accounts whose authenticator app the secret does not open. */
  readonly endedApps: readonly string[]
  /** Whether the secret does not open the password of the mail server. */
  readonly hasEndedMailPassword: boolean
  /** The labels of sign-in providers whose client secret the secret does not open. */
  readonly endedProviders: readonly string[]
  /** The user names of accounts with passkeys of which none works at the site's address. */
  readonly endedPasskeys: readonly string[]
}

/** Ends a transaction that inserted all rows, and undoes it. */
class Rehearsed extends Error {}

/** Throws BackupFailed if the database would not accept the rows: hashes do not show that, and objects are put before. */
async function rehearse(db: PrismaClient, rows: Rows): Promise<void> {
  const undone = db.$transaction(async (tx) => {
    await loadRows(tx, rows, rows.folder)
    throw new Rehearsed()
  }, LONG_TRANSACTION)
  await undone.catch((error: unknown) => {
    if (!(error instanceof Rehearsed)) throw error
  })
}

async function loadAll(db: PrismaClient, rows: Rows, manifest: BackupManifest): Promise<void> {
  await db.$transaction(async (tx) => {
    // A server started in the meantime must not create an owner between this check and the commit.
    await tx.$executeRaw`LOCK TABLE "User" IN SHARE ROW EXCLUSIVE MODE`
    await refuseFilledNow(tx)
    await loadRows(tx, rows, rows.folder)
    await forgetProcesses(tx)
    const after = { createdAt: manifest.createdAt, sluice: manifest.sluice, objects: manifest.objects.count }
    await writeAudit(tx, commandLine(), { action: 'admin.restore', target: 'backup', before: null, after })
  }, LONG_TRANSACTION)
}

/** Clears what uploads and removals under way at the moment of the backup have left in rows. */
async function forgetProcesses(tx: Transaction): Promise<void> {
  const held = { OR: [{ holds: { gt: 0 } }, { heldUntil: { not: null } }, { removingUntil: { not: null } }] }
  await tx.storedObject.updateMany({ where: held, data: { holds: 0, heldUntil: null, removingUntil: null } })
}

const refuseFilled = (db: PrismaClient): Promise<void> => db.$transaction(refuseFilledNow, LONG_TRANSACTION)

async function refuseFilledNow(tx: Transaction): Promise<void> {
  if (!(await isFilled(tx))) return
  throw new BackupFailed(
    'The database is not empty. Restore into an empty one: a new database, or an empty SLUICE_DATA.',
  )
}

/** Throws BackupFailed if the store has other objects: the sweep would delete them, and they may belong to another site. */
async function refuseForeignObjects(store: ObjectStore, { tables }: BackupManifest, folder: string): Promise<void> {
  const table = tables.find(({ name }) => name === 'StoredObject')
  const keys = (table ? readKeys(tableFilePath(folder, table.name), table) : none())[Symbol.asyncIterator]()
  let key = await keys.next()
  // One prefix at a time, so that not all keys are in memory.
  for (const prefix of '0123456789abcdef') {
    const own = new Set<ObjectKey>()
    for (; !key.done && key.value.startsWith(prefix); key = await keys.next()) own.add(key.value)
    for await (const found of store.list(prefix)) {
      if (own.has(found.key)) continue
      throw new BackupFailed(
        `The image store has objects that are not in the backup, such as ${found.key}. Restore into an empty one: another folder, bucket or S3_PREFIX.`,
      )
    }
  }
}

async function* none(): AsyncIterable<ObjectKey> {}
