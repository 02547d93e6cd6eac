import { CannotStart } from '#server/cannot-start.ts'
import { outageOf } from '#server/outage.ts'
import { BackupFailed } from '#server/owner/backup/format.ts'
import { NotYours } from '#server/owner/control-socket.ts'
import { CommandFailed, type FailureKind, type Io } from '../command.ts'

/** Does `work` for the owner, who is told in a sentence of what he can do something about. Throws CommandFailed for that, and a
 *  bug as it is; `what` is what has failed then, where that is more than the command's beginning. */
export async function inWords<T>(io: Pick<Io, 'signal'>, what: string | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CommandFailed) throw error
    if (io.signal.aborted) throw new CommandFailed('interrupted', `${what ?? 'The command'} was broken off.`)
    const words = wordsOf(error)
    if (words === null) throw error
    throw new CommandFailed(failureOf(error), what === null ? words : `${what} failed. ${words}`, { cause: error })
  }
}

const failureOf = (error: unknown): FailureKind =>
  error instanceof NotYours || fileErrorIn(error)?.code === 'EACCES' ? 'refused' : 'failed'

/** Null for a bug. */
function wordsOf(error: unknown): string | null {
  if (error instanceof CannotStart && error.name === 'FolderInUse')
    return 'Another process has the database open, but takes no commands: a server that starts or stops, or another command. Try again in a moment.'
  if (error instanceof CannotStart || error instanceof BackupFailed) return error.message
  const file = fileErrorIn(error)
  return outageOf(error)?.message ?? (file && (fileWords[file.code]?.(file.path) ?? file.message))
}

const fileWords: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `There is no ${path}.`,
  ENOTDIR: (path) => `${path} lies in no folder.`,
  EISDIR: (path) => `${path} is a folder.`,
  EACCES: (path) => `${path} is not for this user to read or write.`,
}

/** What Node says of a file. */
function fileErrorIn(
  error: unknown,
): { readonly code: string; readonly path: string; readonly message: string } | null {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return null
  const path = 'path' in error ? error.path : 'The file'
  return { code: String(error.code), path: String(path), message: error.message }
}
