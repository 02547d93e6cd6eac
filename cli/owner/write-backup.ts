import { createWriteStream } from 'node:fs'
import { link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { translate } from '#messages/translate.ts'
import { isLeftover, processMark } from '#server/storage/process-mark.ts'
import { CommandFailed, exitCodes, type Io, print, say } from '../command.ts'
import { buildClient, openOwnerAccess } from './access.ts'
import { fileSource } from './backup-source.ts'
import { explainErrors } from './explain-errors.ts'
import { type Percent, showPercent } from './percent.ts'

/** Writes a backup to a file, or to standard output for '-'. Returns the exit code. */
export async function writeBackup(target: string, io: Io): Promise<number> {
  if (target === '-') {
    if (io.stdout.isTTY) throw new CommandFailed('usage', translate('cli.owner.binary'))
    // Other commands succeed when the reader closes the pipe early, as `head` does. A part of a backup is useless.
    io.stdout.removeAllListeners('error')
    const name = translate('cli.owner.standardOutput')
    await explainErrors(io, () => receive(() => io.stdout, io, { ends: false, name }), backupFailed)
    return exitCodes.done
  }
  const folder = dirname(target)
  if (!(await exists(folder))) throw new CommandFailed('failed', translate('cli.owner.noFolder', { folder }))
  if (await exists(target)) throw new CommandFailed('refused', translate('cli.owner.exists', { path: target }))
  // A name per process: another backup may be writing to the same target.
  const partial = `${target}.${processMark}.partial`
  await removeLeft(target)
  try {
    const open = () => createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true })
    await explainErrors(io, () => receive(open, io, { ends: true, name: target }), backupFailed)
    const code = await verify(partial, io)
    await place(partial, target)
    await sync(folder)
    print(io, target)
    return code
  } finally {
    await rm(partial, { force: true })
  }
}

const backupFailed = (reason: string): string => translate('cli.owner.backupFailed', { reason })

/** Removes the partial files of backups that were killed. */
async function removeLeft(target: string): Promise<void> {
  const beginning = `${basename(target)}.`
  for (const name of await readdir(dirname(target))) {
    const isPartial = name.startsWith(beginning) && name.endsWith('.partial')
    if (isPartial && isLeftover(name.slice(beginning.length))) await rm(join(dirname(target), name), { force: true })
  }
}

/** Uses a hard link, which fails atomically if the file exists. */
async function place(partial: string, target: string): Promise<void> {
  await link(partial, target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new CommandFailed('refused', translate('cli.owner.exists', { path: target }))
    // Some file systems have no hard links.
    if (error.code === 'EPERM' || error.code === 'ENOTSUP') return rename(partial, target)
    throw error
  })
}

/** `open` is called once there is something to write: an earlier error of the file would go unnoticed. */
async function receive(
  open: () => Writable,
  io: Io,
  { ends, name }: { readonly ends: boolean; readonly name: string },
): Promise<void> {
  await using access = await openOwnerAccess(io)
  const { body, bytes, finish } = await access.backup()
  const percent = showPercent(io)
  let targetError: unknown = null
  try {
    const target = open().once('error', (error: unknown) => {
      targetError = error
    })
    await pipeline(body, counted(percent, bytes), target, { signal: io.signal, end: ends })
  } catch (error) {
    const reason = error === targetError ? targetProblem(error, name) : null
    if (reason !== null) throw new CommandFailed('failed', backupFailed(reason), { cause: error })
    // The server may know the cause, unless the file is what failed.
    if (!isFileError(error)) await finish()
    throw error
  } finally {
    percent.end()
  }
  await finish()
}

/** Returns why the target cannot be written; null for an error without words of its own. */
function targetProblem(error: unknown, name: string): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOSPC' || code === 'EDQUOT') return translate('cli.owner.noSpace', { path: name })
  return code === 'EPIPE' ? translate('cli.owner.readerClosed') : null
}

const isFileError = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && ['open', 'write', 'fsync'].includes(String(error.syscall))

function counted(percent: Percent, of: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      percent.at('writing', bytes, of)
      done(null, chunk)
    },
  })
}

/** Reads back what was written, as a restore would. */
async function verify(file: string, io: Io): Promise<number> {
  await buildClient(io)
  const { readChecked } = await import('./restore-file.ts')
  const { describeBackup, reportDamaged } = await import('./backup-contents.ts')
  const read = await readChecked(fileSource(file), io)
  say(io, translate('cli.owner.verified', { contents: describeBackup(read.manifest) }))
  return reportDamaged(io, read)
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
