import { createHash, hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type Extract, extract } from 'tar-stream'
import { hashOfKey, type ObjectKey } from '#server/storage/object-store.ts'
import {
  BACKUP_MANIFEST,
  type BackupEnd,
  BackupFailed,
  type BackupManifest,
  END,
  endSchema,
  FORMAT,
  formatSchema,
  manifestSchema,
  objectEntry,
  tableEntry,
} from './format.ts'
import { mapAhead } from './map-ahead.ts'
import { tableFilePath } from './snapshot.ts'
import { readStored, type StoredReader } from './stored-objects.ts'
import { readKeys, readObjects } from './table-lines.ts'

/** The largest manifest.json, in bytes, and the largest end.json that names no objects. */
const MAX_JSON_BYTES = 1024 * 1024
/** The largest end.json of a file without objects, whose damaged ones are not known before. */
const MAX_END_BYTES = 256 * MAX_JSON_BYTES
/** A compressed file unpacks to this many bytes, and to so many times its size: rows take a fifth to a half. */
const MAX_UNPACKED = { bytes: 64 * MAX_JSON_BYTES, times: 50 }
/** Bytes of a line of end.json that names an object. */
const MAX_NAMED_BYTES = 256
/** Objects passed on at once. */
const CONCURRENCY = 8

export interface BackupReader {
  /** Receives the tables' files, and temporarily objects. */
  readonly folder: string
  /** Called for each verified object, concurrently for several. The copy is deleted when this resolves. */
  readonly object?: (key: ObjectKey, copy: { readonly path: string; readonly size: number }) => Promise<void>
  /** Called with the number of bytes of the file read so far, or of its objects where those are elsewhere. */
  readonly progress?: (bytes: number, of?: number) => void
  /** Where the objects are if not in the file, which is compressed then; null if nobody asks. */
  readonly stored?: StoredReader | null
}

/** A complete and verified backup. */
export interface ReadBackup {
  readonly manifest: BackupManifest
  /** Keys of objects that were missing or corrupt when the backup was written. */
  readonly damaged: readonly string[]
}

/**
 * Reads a backup from its file and verifies all hashes. Throws BackupFailed with the reason if the file is truncated,
 * changed, of an unknown format, or not a backup.
 */
export async function readBackup(path: string, reader: BackupReader): Promise<ReadBackup> {
  const tar = extract()
  const left = new AbortController()
  const file = createReadStream(path, { highWaterMark: 1024 * 1024 })
  const unpacked = reader.stored === undefined ? [counter(reader.progress)] : await unpacking(path)
  const feeding = pipeline([file, ...unpacked, tar], { signal: left.signal })
  const fed = feeding.catch((error: unknown) => error)
  try {
    const read = await readEntries(tar[Symbol.asyncIterator](), reader)
    await feeding
    return read
  } catch (error) {
    left.abort()
    const first = await fed
    // The error of the stream is the cause; that of the entries only follows from it.
    throw toBackupFailed(first instanceof Error && first.name !== 'AbortError' ? first : error)
  }
}

type Entry = Extract extends AsyncIterable<infer Each> ? Each : never
type Entries = AsyncIterator<Entry>

async function readEntries(entries: Entries, reader: BackupReader): Promise<ReadBackup> {
  const first = await readText(await nextEntry(entries, 'its manifest'), BACKUP_MANIFEST, MAX_JSON_BYTES)
  const manifest = parseManifest(first)
  await readRows(entries, manifest, reader.folder)
  const table = manifest.tables.find(({ name }) => name === 'StoredObject')
  const path = table && tableFilePath(reader.folder, table.name)
  if (reader.stored !== undefined) {
    const end = parseEnd(await readText(await nextEntry(entries, 'its end'), END, MAX_END_BYTES), first)
    await refuseMore(entries)
    if (path && reader.stored)
      await readStored(reader.stored, readObjects(path, table), { ...reader, ...end, of: end.objects.bytes })
    return { manifest, damaged: end.damaged }
  }
  const found = new ObjectEntries(entries, reader.folder)
  if (path) {
    const keys = readKeys(path, table)
    for await (const _ of mapAhead(found.match(keys), CONCURRENCY, (each) => passOn(each, reader)));
  }
  const endBytes = MAX_JSON_BYTES + found.absent.length * MAX_NAMED_BYTES
  const end = parseEnd(await readText(await found.next(), END, endBytes), first)
  const lost = found.absent.find((key) => !end.damaged.includes(key))
  if (lost !== undefined) throw new BackupFailed(`The object ${lost} is missing.`)
  const { count, bytes } = end.objects
  if (end.damaged.length !== found.absent.length || count !== found.count || bytes !== found.bytes) {
    throw new BackupFailed('Its objects do not match its end record.')
  }
  await refuseMore(entries)
  return { manifest, damaged: end.damaged }
}

function parseEnd(text: string, manifest: string): BackupEnd {
  const end = endSchema.parse(JSON.parse(text))
  if (end.manifest !== hash('sha256', manifest)) throw new BackupFailed('Its manifest was changed.')
  return end
}

async function refuseMore(entries: Entries): Promise<void> {
  if (!(await entries.next()).done) throw new BackupFailed('There is data after its end.')
}

interface Copied {
  readonly key: ObjectKey
  readonly copy: { readonly path: string; readonly size: number }
}

async function passOn({ key, copy }: Copied, { object }: BackupReader): Promise<void> {
  await object?.(key, copy)
  await rm(copy.path, { force: true })
}

/** The objects of a backup, which are in the order of the rows that reference them. */
class ObjectEntries {
  readonly absent: ObjectKey[] = []
  count = 0
  bytes = 0
  readonly #entries: Entries
  readonly #folder: string
  #ahead: Entry | null = null

  constructor(entries: Entries, folder: string) {
    this.#entries = entries
    this.#folder = folder
  }

  async next(): Promise<Entry> {
    const entry = this.#ahead ?? (await nextEntry(this.#entries, 'its end'))
    this.#ahead = null
    return entry
  }

  async *match(keys: AsyncIterable<ObjectKey>): AsyncIterable<Copied> {
    for await (const key of keys) {
      const entry = await this.next()
      if (entry.header.name === objectEntry(key)) {
        const copy = { path: join(this.#folder, key.replace('/', '.')), size: entry.header.size }
        this.count += 1
        this.bytes += copy.size
        await copyTo(entry, copy.path, hashOfKey(key))
        yield { key, copy }
      } else {
        this.#ahead = entry
        this.absent.push(key)
      }
    }
  }
}

async function nextEntry(entries: Entries, what: string): Promise<Entry> {
  const { value, done } = await entries.next()
  if (done) throw new BackupFailed(`It is truncated: ${what} is missing.`)
  const { name, type } = value.header
  if (type !== 'file') throw new BackupFailed(`It is not a Sluice backup: ${name} is not a file.`)
  return value
}

function parseManifest(text: string): BackupManifest {
  const value: unknown = JSON.parse(text)
  const { format, sluice } = formatSchema.parse(value)
  if (format > FORMAT) {
    throw new BackupFailed(`Its format is newer: Sluice ${sluice} wrote it. Use that version or a later one.`)
  }
  return manifestSchema.parse(value)
}

async function readRows(entries: Entries, { tables }: BackupManifest, folder: string): Promise<void> {
  for (const { name, sha256 } of tables) {
    const entry = await nextEntry(entries, `the table ${name}`)
    if (entry.header.name !== tableEntry(name)) throw new BackupFailed(`The table ${name} is missing.`)
    // The name becomes part of a path.
    if (!/^\w+$/.test(name)) throw new BackupFailed('A table has an invalid name.')
    await copyTo(entry, tableFilePath(folder, name), sha256)
  }
}

async function copyTo(entry: Entry, path: string, sha256: string): Promise<void> {
  const hash = createHash('sha256')
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline(readBytes(entry), hashing, createWriteStream(path, { mode: 0o600 }))
  if (hash.digest('hex') !== sha256)
    throw new BackupFailed(`${entry.header.name} was changed: its hash does not match.`)
}

async function readText(entry: Entry, name: string, maxBytes: number): Promise<string> {
  if (entry.header.name !== name) throw new BackupFailed(`Found ${entry.header.name} instead of ${name}.`)
  if (entry.header.size > maxBytes) throw new BackupFailed(`${name} is too large.`)
  return text(readBytes(entry))
}

/** Wraps an entry in a stream of Node: `pipeline` never settles for a streamx stream that is already destroyed. */
const readBytes = (entry: Entry): Readable => Readable.from(entry, { objectMode: false })

function counter(progress: (bytes: number) => void = () => undefined): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      progress(bytes)
      done(null, chunk)
    },
  })
}

/** Whoever can write where the snapshots are must not fill the disk of the server that reads them. */
async function unpacking(path: string): Promise<Transform[]> {
  const most = MAX_UNPACKED.bytes + MAX_UNPACKED.times * (await stat(path)).size
  const limit = counter((bytes) => {
    if (bytes > most) limit.destroy(new BackupFailed(`It unpacks to more than ${MAX_UNPACKED.times} times its size.`))
  })
  return [createGunzip(), limit]
}

/** Returns BackupFailed for errors of gzip, tar, JSON and schemas, which mean a damaged file; a failing disk does not. */
function toBackupFailed(error: unknown): unknown {
  if (error instanceof BackupFailed || !(error instanceof Error) || 'syscall' in error) return error
  const isKnown = /^(Unexpected end of data|Invalid tar header|Invalid header|Header exceeds|Premature close)/.test(
    error.message,
  )
  const words = /^Unexpected end/.test(error.message)
    ? 'It is truncated.'
    : 'It is not a Sluice backup, or it was changed.'
  const isPacking = 'code' in error && /^Z_/.test(String(error.code))
  if (isKnown || isPacking || error instanceof SyntaxError || error.name === 'ZodError')
    return new BackupFailed(words, { cause: error })
  return error
}
