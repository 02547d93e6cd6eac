import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pack } from 'tar-stream'
import { commandLine, writeAudit } from '#server/audit/audit.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import type { ObjectStore } from '#server/storage/object-store.ts'
import { paidBy } from '#server/storage/payer.ts'
import type { TempFolder } from '#server/storage/temp-folder.ts'
import { sluiceVersion } from '#server/version.ts'
import { fetchObject } from './fetch-object.ts'
import { BACKUP_MANIFEST, type BackupEnd, type BackupManifest, END, FORMAT, objectEntry, tableEntry } from './format.ts'
import { type KeptPause, keepPause } from './kept-pause.ts'
import { mapAhead } from './map-ahead.ts'
import { tableFilePath, takeSnapshot } from './snapshot.ts'
import { readKeys } from './table-lines.ts'

/** Objects fetched at once. */
const CONCURRENCY = 8

export interface BackupParts {
  readonly db: PrismaClient
  readonly store: ObjectStore
  /** For the rows, and for a few objects at a time. */
  readonly temp: TempFolder
}

/** A backup in progress. */
export interface Backup {
  readonly manifest: BackupManifest
  /** The tar. Fails with BackupFailed or an error of the store or database; destroying it cancels the backup. */
  readonly body: Readable
  /** Resolves once the backup has ended, with or without success. */
  readonly ended: Promise<void>
}

/** An entry of the tar, from memory or from a file. */
interface Entry {
  readonly name: string
  readonly size: number
  readonly source: Buffer | { readonly path: string }
}

/**
 * Starts a backup, and audits it: the rows of one moment, and then every object that they reference, charged to the procedure 'backup'.
 * From before that moment until the end no object is deleted from the store, even if its images are purged.
 */
export function openBackup({ db, store, temp }: BackupParts): Promise<Backup> {
  return paidBy({ procedure: 'backup', subject: null }, async () => {
    await using opened = new AsyncDisposableStack()
    const folder = opened.use(await temp.create()).path
    const pause = opened.use(await keepPause(db))
    const manifest: BackupManifest = { format: FORMAT, sluice: sluiceVersion, ...(await takeSnapshot(db, folder)) }
    const { count, bytes } = manifest.objects
    const act = { action: 'admin.backup', target: 'backup', before: null, after: { objects: count, bytes } } as const
    await transact(db, (tx) => writeAudit(tx, commandLine(), act))
    const toClose = opened.move()
    return { manifest, ...packTar(listEntries({ store, folder, manifest, pause, toClose })) }
  })
}

interface EntryParts {
  readonly store: ObjectStore
  readonly folder: string
  readonly manifest: BackupManifest
  readonly pause: KeptPause
  readonly toClose: AsyncDisposable
}

async function* listEntries({ store, folder, manifest, pause, toClose }: EntryParts): AsyncIterable<Entry> {
  await using _ = toClose
  yield* listRowEntries(folder, manifest)
  const end: BackupEnd = { manifest: hashManifest(manifest), objects: { count: 0, bytes: 0 }, damaged: [] }
  const table = manifest.tables.find(({ name }) => name === 'StoredObject')
  const keys = table ? readKeys(tableFilePath(folder, table.name), table) : Readable.from([])
  for await (const { key, copy } of mapAhead(keys, CONCURRENCY, (key) => fetchObject(store, key, folder))) {
    if (copy) {
      yield { name: objectEntry(key), size: copy.size, source: copy }
      await rm(copy.path)
      end.objects.count += 1
      end.objects.bytes += copy.size
    } else {
      end.damaged.push(key)
    }
  }
  await pause.check()
  yield json(END, end)
}

function* listRowEntries(folder: string, manifest: BackupManifest): Iterable<Entry> {
  yield json(BACKUP_MANIFEST, manifest)
  for (const { name, bytes } of manifest.tables) {
    yield { name: tableEntry(name), size: bytes, source: { path: tableFilePath(folder, name) } }
  }
}

const hashManifest = (manifest: BackupManifest): string => hash('sha256', json(BACKUP_MANIFEST, manifest).source)

/** Packs the rows of a snapshot without objects, which are kept elsewhere. */
export function packRows(
  folder: string,
  manifest: BackupManifest,
  { objects, damaged }: Omit<BackupEnd, 'manifest'>,
): Pick<Backup, 'body' | 'ended'> {
  const end: BackupEnd = { manifest: hashManifest(manifest), objects, damaged }
  const entries = async function* () {
    yield* listRowEntries(folder, manifest)
    yield json(END, end)
  }
  return packTar(entries())
}

function json(name: string, value: object): Entry & { readonly source: Buffer } {
  const source = Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
  return { name, size: source.length, source }
}

/** Packs entries into a tar, at the reader's speed. */
function packTar(entries: AsyncIterable<Entry>): Pick<Backup, 'body' | 'ended'> {
  const tar = pack()
  const write = async () => {
    for await (const { name, size, source } of entries) {
      const body = Buffer.isBuffer(source) ? Readable.from([source]) : createReadStream(source.path)
      await pipeline(body, tar.entry({ name, size, mode: 0o600 }))
    }
    tar.finalize()
  }
  const ended = write().catch((error: unknown) => {
    tar.destroy(error instanceof Error ? error : new Error(String(error)))
  })
  return { body: Readable.from(tar, { objectMode: false, highWaterMark: 256 * 1024 }), ended }
}
