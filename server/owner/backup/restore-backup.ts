import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import type { Opened } from '#server/owner/open-directly.ts'
import type { ObjectKey, ObjectStore } from '#server/storage/object-store.ts'
import { paidBy } from '#server/storage/payer.ts'
import { BackupFailed, type Manifest, type TableFile } from './format.ts'
import { keepPause } from './kept-pause.ts'
import { isFilled, loadRows } from './load-rows.ts'
import { type ReadBackup, readBackup } from './read-backup.ts'
import { fileOf } from './snapshot.ts'
import { keysIn } from './table-lines.ts'
import { LONG, refuseNewer, upgradeRows } from './upgrade-rows.ts'

export interface RestoreParts {
  /** Opens the place, once the file is known to be whole: before that nothing is made. It is closed when this is over. */
  readonly open: () => Promise<Opened>
  /** Told what is being done, and how many bytes of the file are. */
  readonly progress: (step: 'checking' | 'objects' | 'rows', bytes: number) => void
}

/**
 * Restores the backup in a file into a database and a store that hold nothing else: the file is read through first, then the
 * objects are put, and then all rows become visible at once. Throws BackupFailed; no row is there then, and what was put may
 * be put again. The rows lie in the system's folder for temporary files meanwhile.
 */
export function restoreBackup(path: string, { open, progress }: RestoreParts): Promise<ReadBackup> {
  return paidBy({ procedure: 'restore', subject: null }, async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'sluice-restore-'))
    const check = (bytes: number) => progress('checking', bytes)
    const read = await readBackup(path, { folder: folder.path, progress: check })
    await refuseNewer(read.manifest)
    await using place = await open()
    const { db, store, temp, settle } = place
    await refuseFilled(db)
    await refuseForeignObjects(store, read.manifest, folder.path)
    await using pause = await keepPause(db)
    await using second = await temp.create()
    await readBackup(path, {
      folder: second.path,
      progress: (bytes) => progress('objects', bytes),
      object: (key, copy) => store.put(key, copy, copy.size),
    })
    const rows = await upgradeRows(read.manifest, folder.path)
    await pause.check()
    await settle()
    progress('rows', 0)
    await loadAll(db, rows)
    return read
  })
}

async function loadAll(db: PrismaClient, { folder, tables }: { folder: string; tables: readonly TableFile[] }) {
  await db.$transaction(async (tx) => {
    // A server that was started meanwhile makes no owner between the look and the end.
    await tx.$executeRaw`LOCK TABLE "User" IN SHARE ROW EXCLUSIVE MODE`
    await refuseFilledNow(tx)
    await loadRows(tx, tables, folder)
    await forgetProcesses(tx)
  }, LONG)
}

/** What is left of those that ran when the backup was made: of uploads that put bytes, removals, and forms. */
async function forgetProcesses(tx: Transaction): Promise<void> {
  const held = { OR: [{ holds: { gt: 0 } }, { heldUntil: { not: null } }, { removingUntil: { not: null } }] }
  await tx.storedObject.updateMany({ where: held, data: { holds: 0, heldUntil: null, removingUntil: null } })
  await tx.image.updateMany({ where: { formOpen: true }, data: { formOpen: false } })
}

const refuseFilled = (db: PrismaClient): Promise<void> => db.$transaction(refuseFilledNow, LONG)

async function refuseFilledNow(tx: Transaction): Promise<void> {
  if (!(await isFilled(tx))) return
  throw new BackupFailed(
    'The database is in use already. Restore into an empty one: a new database, or an empty SLUICE_DATA.',
  )
}

/** What else is in the store would be swept away, and may be another site's. */
async function refuseForeignObjects(store: ObjectStore, { tables }: Manifest, folder: string): Promise<void> {
  const table = tables.find(({ name }) => name === 'StoredObject')
  const keys = (table ? keysIn(fileOf(folder, table.name), table) : none())[Symbol.asyncIterator]()
  let key = await keys.next()
  // A part after the other, so that not all keys are in memory.
  for (const prefix of '0123456789abcdef') {
    const own = new Set<ObjectKey>()
    for (; !key.done && key.value.startsWith(prefix); key = await keys.next()) own.add(key.value)
    for await (const found of store.list(prefix)) {
      if (own.has(found.key)) continue
      throw new BackupFailed(
        `The store of images has objects that the backup does not know, as ${found.key}. Restore into an empty one: another folder, bucket or S3_PREFIX.`,
      )
    }
  }
}

async function* none(): AsyncIterable<ObjectKey> {}
