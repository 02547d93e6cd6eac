import { createHash } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { link, mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { translate } from '#messages/translate.ts'
import type { ServerConnection } from '../connection/connection.ts'
import { findSetback, HttpFailure, ItemFailed } from '../connection/server-error.ts'
import type { Progress } from '../terminal/progress.ts'
import { hashBlob } from './hash-blob.ts'

/** Interrupted downloads of one image before it fails: each costs the site a read of the whole object. */
const MOST_INTERRUPTIONS = 3

/** A file on the server, with its size and hash. */
export interface RemoteFile {
  readonly url: string
  readonly size: number
  /** In hexadecimal; null if unknown. */
  readonly sha256: string | null
}

interface Saving {
  readonly connection: ServerConnection
  readonly progress: Progress
  readonly label: string
  /** Whether an existing file is replaced. */
  readonly replaces: boolean
}

/** Downloads an image to `path`, which exists only once it is complete and verified. Throws ItemFailed for a wrong size or hash,
 *  and for an existing file. */
export async function saveImage(
  file: RemoteFile,
  path: string,
  { connection, progress, label, replaces }: Saving,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const unfinished = `${path}.${process.pid}.part`
  let interruptions = 0
  try {
    await connection.patience.run(async () => {
      const step = progress.begin(label, file.size)
      let isReceiving = false
      try {
        const { body } = await connection.bytes(file.url)
        isReceiving = true
        await writeTo(unfinished, body, file, { signal: connection.signal, moved: (bytes) => step.moved(bytes) })
        step.end(true)
      } catch (error) {
        step.end(false)
        if (isReceiving || isFault(error)) interruptions += 1
        throw interruptions === MOST_INTERRUPTIONS ? asDamaged(error) : error
      }
    })
    if (replaces) await rename(unfinished, path)
    else await place(unfinished, path)
  } finally {
    await rm(unfinished, { force: true })
  }
}

const isFault = (error: unknown): error is HttpFailure => error instanceof HttpFailure && error.status === 500

/** A server that answers but never sends the whole image has a problem with this image only. */
function asDamaged(error: unknown): unknown {
  if (findSetback(error) === null) return error
  const interrupted = translate('cli.transfer.interrupted', { count: MOST_INTERRUPTIONS })
  return new ItemFailed(isFault(error) ? error.message : interrupted, { cause: error })
}

/** Returns whether there is nothing at `path`, the same bytes, or others. */
export async function compareFile(path: string, { size, sha256 }: RemoteFile): Promise<'nothing' | 'same' | 'other'> {
  // stat rejects if there is no file.
  const there = await stat(path)
    .then(() => openAsBlob(path))
    .catch(() => null)
  if (there === null) return 'nothing'
  if (there.size !== size || sha256 === null) return 'other'
  return (await hashBlob(there)) === sha256 ? 'same' : 'other'
}

/** Uses a hard link, which fails atomically if the file exists. */
async function place(unfinished: string, path: string): Promise<void> {
  await link(unfinished, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new ItemFailed(translate('cli.transfer.exists', { path }))
    // Some file systems have no hard links.
    if (error.code === 'EPERM' || error.code === 'ENOTSUP') return rename(unfinished, path)
    throw error
  })
}

async function writeTo(
  path: string,
  body: Response['body'],
  { url, size, sha256 }: RemoteFile,
  { signal, moved }: { readonly signal: AbortSignal; readonly moved: (bytes: number) => void },
): Promise<void> {
  // Removes what an earlier attempt left, or a link that someone else created.
  await rm(path, { force: true })
  const hash = createHash('sha256')
  let bytes = 0
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      moved(chunk.length)
      done(bytes > size ? new ItemFailed(translate('cli.transfer.tooManyBytes', { url })) : null, chunk)
    },
  })
  await pipeline(Readable.from(body ?? []), counter, createWriteStream(path, { flags: 'wx' }), { signal })
  if (bytes !== size || (sha256 !== null && hash.digest('hex') !== sha256))
    throw new ItemFailed(translate('cli.transfer.wrongBytes'))
}
