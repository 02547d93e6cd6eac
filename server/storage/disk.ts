import { constants, type Stats } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CannotStart } from '#server/cannot-start.ts'
import { bytesIn, rangeWithin } from './byte-range.ts'
import {
  type ByteRange,
  hashOfKey,
  isObjectKey,
  type ListedObject,
  type ObjectKey,
  ObjectNotFound,
  type ObjectStore,
  ObjectStoreUnavailable,
  type OpenObject,
} from './object-store.ts'
import { isSystemError } from './system-error.ts'
import { openTempFolder, type TempFolder } from './temp-folder.ts'
import { verifiedBody } from './verified-body.ts'

/** Milliseconds a read may stall before it fails. Generous, because the disk may be a network mount. */
const STALL_MS = 60_000

/** Read size in bytes. A slow reader holds no more than a few chunks in memory. */
const CHUNK = 64 * 1024
/** Objects up to this many bytes are read in one chunk of their own size, because most of them go into the memory
 *  cache. */
const PIECE = 256 * 1024

/** Opens a store that keeps objects as files in `root`/ab/cd/. `root`/tmp holds unfinished ones, on the same file
 *  system. */
export async function createDiskStore(root: string): Promise<ObjectStore> {
  const temp = await openTempFolder(join(root, 'tmp'))
  const resolvePath = (key: ObjectKey) => join(root, toFileName(key))
  return {
    description: `disk in ${root}`,
    put: (key, source, size) => putFile(temp, source.path, resolvePath(key), size).catch(failAsOutage),
    open: (key, range) => openFile(key, resolvePath(key), range).catch(failAsOutage),
    readSize: (key) => readSize(resolvePath(key)).catch(failAsOutage),
    delete: (key, signal) => deleteFile(resolvePath(key), signal).catch(failAsOutage),
    list: (prefix) => listOrFail(root, prefix),
    check: () => probe(temp).catch(failAsOutage),
    verify: () => verify(temp, root),
    removeUnfinished: (before) => temp.removeOlder(before).catch(failAsOutage),
    close: async () => undefined,
  }
}

/** A variant is stored beside its original, since a file cannot also be a folder. */
function toFileName(key: ObjectKey): string {
  if (!isObjectKey(key)) throw new TypeError('not an object key')
  return join(key.slice(0, 2), key.slice(2, 4), key.replace('/', '.'))
}

const toKey = (file: string): string => file.replace('.', '/')

async function putFile(temp: TempFolder, source: string, target: string, size: number): Promise<void> {
  const own = temp.newName()
  try {
    await linkOrCopy(source, own)
    const { nlink } = await syncWhole(own, size)
    await renameInto(own, target)
    // When the object exists already, `own` and `target` are one file: rename(2) then does nothing and leaves both
    // names.
    if (nlink > 2) await rm(own, { force: true })
  } catch (error) {
    await rm(own, { force: true })
    throw error
  }
  await sync(dirname(target))
}

/** Makes a hard link where the file system allows it, so that the bytes are not written twice. */
const linkOrCopy = (source: string, own: string): Promise<void> =>
  link(source, own).catch(() => copyFile(source, own, constants.COPYFILE_FICLONE))

async function syncWhole(path: string, size: number): Promise<Stats> {
  await using file = await open(path, 'r')
  const found = await file.stat()
  if (found.size !== size) throw new Error(`size mismatch: expected ${size} bytes, got ${found.size}`)
  await file.sync()
  return found
}

/** Creates the target folder only when the rename fails: usually it exists, because variants are put before their
 *  original. */
async function renameInto(path: string, target: string): Promise<void> {
  try {
    await rename(path, target)
  } catch (error) {
    if (!isMissing(error)) throw error
    await makeFolder(dirname(target))
    await rename(path, target)
  }
}

/** Creates a folder two levels below the root and syncs its parents, so that a power failure after the put does not
 *  lose them. */
async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made === undefined) return
  await sync(dirname(folder))
  await sync(dirname(dirname(folder)))
}

async function sync(path: string): Promise<void> {
  await using file = await open(path, 'r')
  await file.sync()
}

async function openFile(key: ObjectKey, path: string, range: ByteRange | undefined): Promise<OpenObject> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw isMissing(error) ? new ObjectNotFound(key) : error
  })
  try {
    const { size } = await file.stat()
    const { start, end } = rangeWithin(range, size)
    const bytes = bytesIn(range, size)
    const highWaterMark = bytes > PIECE ? CHUNK : Math.max(bytes, 1)
    // Without an end, the stream would allocate a full chunk beyond the last byte.
    const source = file.createReadStream({ highWaterMark, start, end: Math.max(start, end) })
    const expected = { bytes, sha256: range ? null : hashOfKey(key) }
    return { body: verifiedBody(source, expected, STALL_MS), size }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function readSize(path: string): Promise<number | null> {
  return (await statOrNull(path))?.size ?? null
}

/** Returns null only when the file does not exist. Any other failure must not look like a missing object, so it
 *  throws. */
async function statOrNull(path: string): Promise<Stats | null> {
  try {
    return await stat(path)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

async function deleteFile(path: string, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await rm(path, { force: true })
  await sync(dirname(path)).catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })
}

async function* listOrFail(root: string, prefix: string): AsyncIterable<ListedObject> {
  try {
    yield* listFiles(root, prefix)
  } catch (error) {
    failAsOutage(error)
  }
}

async function* listFiles(root: string, prefix: string): AsyncIterable<ListedObject> {
  for (const first of await foldersIn(root, prefix.slice(0, 2))) {
    for (const second of await foldersIn(join(root, first), prefix.slice(2, 4))) {
      for (const file of await readdir(join(root, first, second))) {
        const key = toKey(file)
        if (!isObjectKey(key) || !key.startsWith(prefix)) continue
        const found = await statOrNull(join(root, first, second, file))
        if (found) yield { key, size: found.size, modifiedAt: found.mtime }
      }
    }
  }
}

async function foldersIn(folder: string, prefix: string): Promise<string[]> {
  const entries = await readdir(folder)
  return entries.filter((name) => /^[0-9a-f]{2}$/.test(name) && name.startsWith(prefix))
}

async function probe(temp: TempFolder): Promise<void> {
  await using folder = await temp.create()
  await writeFile(join(folder.path, 'probe'), 'sluice')
}

async function verify(temp: TempFolder, root: string): Promise<readonly string[]> {
  await probe(temp).catch((cause: unknown) => {
    const sentence = `The folder ${root} is not writable. Check its owner, its permissions and the free space.`
    throw new CannotStart(sentence, { cause })
  })
  return []
}

/** A full, missing or failing disk is an outage. An error that did not come from the system is a bug and passes
 *  unchanged. */
function failAsOutage(error: unknown): never {
  if (isSystemError(error)) throw new ObjectStoreUnavailable('disk failure', { cause: error })
  throw error
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
