import { createWriteStream } from 'node:fs'
import { link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isLeftover, processMark } from '#server/storage/process-mark.ts'
import { CommandFailed, exitCodes, type Io, print, say } from '../command.ts'
import { buildClient, openAccess } from './access.ts'
import { inWords } from './in-words.ts'
import { type Percent, tellPercent } from './percent.ts'

/** Writes a backup into a file, or to standard output for '-'. Answers the exit code. */
export async function writeBackup(target: string, io: Io): Promise<number> {
  if (target === '-') {
    if (io.stdout.isTTY)
      throw new CommandFailed('usage', 'A backup is nothing to look at: name a file, or redirect it.')
    // Elsewhere whoever has read enough ends a command well, as `head` does; of a backup a part is none.
    io.stdout.removeAllListeners('error')
    await inWords(io, 'The backup', () => receive(() => io.stdout, io, { ends: false, name: 'standard output' }))
    return exitCodes.done
  }
  const folder = dirname(target)
  if (!(await exists(folder))) throw new CommandFailed('failed', `There is no folder ${folder}.`)
  if (await exists(target)) throw new CommandFailed('refused', `${target} is there already.`)
  // Of its own: another backup may be on its way to the same name.
  const partial = `${target}.${processMark}.partial`
  await removeLeft(target)
  try {
    await inWords(io, 'The backup', () =>
      receive(() => createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }), io, {
        ends: true,
        name: target,
      }),
    )
    const code = await checked(partial, io)
    await place(partial, target)
    await sync(folder)
    print(io, target)
    return code
  } finally {
    await rm(partial, { force: true })
  }
}

/** Removes what earlier ones left beside it, that were killed. */
async function removeLeft(target: string): Promise<void> {
  const beginning = `${basename(target)}.`
  for (const name of await readdir(dirname(target))) {
    const isPartial = name.startsWith(beginning) && name.endsWith('.partial')
    if (isPartial && isLeftover(name.slice(beginning.length))) await rm(join(dirname(target), name), { force: true })
  }
}

/** A link fails where something is, in one step. */
async function place(partial: string, target: string): Promise<void> {
  await link(partial, target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new CommandFailed('refused', `${target} is there already.`)
    // Some file systems have no links.
    if (error.code === 'EPERM' || error.code === 'ENOTSUP') return rename(partial, target)
    throw error
  })
}

/** `open` is called when there is something to write: nobody would hear before that why a file cannot be opened. */
async function receive(
  open: () => Writable,
  io: Io,
  { ends, name }: { readonly ends: boolean; readonly name: string },
): Promise<void> {
  await using access = await openAccess(io)
  const { body, bytes, finish } = await access.backup()
  const percent = tellPercent(io)
  let ofTarget: unknown = null
  try {
    const target = open().once('error', (error: unknown) => {
      ofTarget = error
    })
    await pipeline(body, counted(percent, bytes), target, { signal: io.signal, end: ends })
  } catch (error) {
    const words = error === ofTarget && targetWords[codeOf(error)]
    if (words) throw new CommandFailed('failed', `The backup failed. ${words(name)}`, { cause: error })
    // Which may know more of it, unless it is the file that fails.
    if (!isOfFile(error)) await finish()
    throw error
  } finally {
    percent.end()
  }
  await finish()
}

/** What is wrong with where the backup goes: the same of what the server has open is told in other words. */
const targetWords: Readonly<Record<string, (name: string) => string>> = {
  ENOSPC: (name) => `There is no space left for ${name}.`,
  EDQUOT: (name) => `There is no space left for ${name}.`,
  EPIPE: () => 'Whoever reads it has stopped: what came is not whole.',
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

const isOfFile = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && ['open', 'write', 'fsync'].includes(String(error.syscall))

function counted(percent: Percent, of: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      percent.at('backup', bytes, of)
      done(null, chunk)
    },
  })
}

/** Reads again what was written, as a restore would. */
async function checked(file: string, io: Io): Promise<number> {
  await buildClient(io)
  const { readChecked } = await import('./restore-file.ts')
  const { contentOf, tellDamaged } = await import('./told.ts')
  const read = await readChecked(file, io)
  say(io, `A backup ${contentOf(read.manifest)}. It was read again and is whole.`)
  return tellDamaged(io, read)
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

async function sync(folder: string): Promise<void> {
  await using handle = await open(folder, 'r')
  await handle.sync()
}
