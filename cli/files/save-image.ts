import { createHash } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { link, mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ServerConnection } from '../connection/connection.ts'
import { HttpFailure, ItemFailed, setbackOf } from '../connection/server-error.ts'
import type { Progress } from '../terminal/progress.ts'
import { hashOf } from './hash-of.ts'

/** Attempts at one image that the server answers and does not bring to its end: each costs the site the whole of it. */
const MOST_BREAKS = 3

/** The bytes of an image, and what they must be. */
export interface RemoteFile {
  readonly url: string
  readonly size: number
  /** In hexadecimal; null where it is not known. */
  readonly sha256: string | null
}

interface Saving {
  readonly connection: ServerConnection
  readonly progress: Progress
  readonly label: string
  /** Takes the place of what is there. */
  readonly replaces: boolean
}

/** Brings an image's bytes to `path`, which is there only when all of them are, and right. Throws ItemFailed for bytes that are
 *  not those of the image, and for a path that is taken. */
export async function saveImage(
  file: RemoteFile,
  path: string,
  { connection, progress, label, replaces }: Saving,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const unfinished = `${path}.${process.pid}.part`
  let breaks = 0
  try {
    await connection.patience.run(async () => {
      const step = progress.begin(label, file.size)
      let isComing = false
      try {
        const { body } = await connection.bytes(file.url)
        isComing = true
        await writeTo(unfinished, body, file, { signal: connection.signal, moved: (bytes) => step.moved(bytes) })
        step.end(true)
      } catch (error) {
        step.end(false)
        if (isComing || isFault(error)) breaks += 1
        throw breaks === MOST_BREAKS ? asDamaged(error) : error
      }
    })
    if (replaces) await rename(unfinished, path)
    else await place(unfinished, path)
  } finally {
    await rm(unfinished, { force: true })
  }
}

const isFault = (error: unknown): error is HttpFailure => error instanceof HttpFailure && error.status === 500

/** A server that answers, but with no whole image, has damaged that one: the others may be whole. */
function asDamaged(error: unknown): unknown {
  if (setbackOf(error) === null) return error
  const words = isFault(error) ? error.message : 'The server broke off in the middle of it, time and again.'
  return new ItemFailed(words, { cause: error })
}

/** What lies at `path`: nothing, these very bytes, or others. */
export async function compareFile(path: string, { size, sha256 }: RemoteFile): Promise<'nothing' | 'same' | 'other'> {
  // It throws at once where there is no file.
  const there = await stat(path)
    .then(() => openAsBlob(path))
    .catch(() => null)
  if (there === null) return 'nothing'
  if (there.size !== size || sha256 === null) return 'other'
  return (await hashOf(there)) === sha256 ? 'same' : 'other'
}

/** A link fails where something is, in one step. */
async function place(unfinished: string, path: string): Promise<void> {
  await link(unfinished, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new ItemFailed(`${path} is there already: --force replaces it.`)
    // Some file systems have no links; nobody else writes here then.
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
  // What an attempt before left, or somebody else laid there.
  await rm(path, { force: true })
  const hash = createHash('sha256')
  let bytes = 0
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      moved(chunk.length)
      done(bytes > size ? new ItemFailed(`${url} has more bytes than its image.`) : null, chunk)
    },
  })
  await pipeline(Readable.from(body ?? []), counter, createWriteStream(path, { flags: 'wx' }), { signal })
  if (bytes !== size || (sha256 !== null && hash.digest('hex') !== sha256))
    throw new ItemFailed('The bytes that came are not those of the image.')
}
