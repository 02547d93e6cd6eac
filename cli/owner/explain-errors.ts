import { translate } from '#messages/translate.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { isRefusal } from '#server/errors/refused.ts'
import { findOutage } from '#server/outage.ts'
import { BackupFailed } from '#server/owner/backup/format.ts'
import { NotYours } from '#server/owner/control-socket.ts'
import { CommandFailed, type FailureKind, type Io } from '../command.ts'

/** Runs `work`. Throws CommandFailed with a sentence for an error that the owner can do something about; `explain` may say what
 *  failed. A bug is thrown as it is. */
export async function explainErrors<T>(
  io: Pick<Io, 'signal'>,
  work: () => Promise<T>,
  explain = (reason: string): string => reason,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CommandFailed) throw error
    if (io.signal.aborted) throw new CommandFailed('interrupted', translate('cli.interrupted'))
    const reason = findReason(error)
    if (reason === null) throw error
    throw new CommandFailed(chooseKind(error), explain(reason), { cause: error })
  }
}

const chooseKind = (error: unknown): FailureKind =>
  error instanceof NotYours || fileErrorIn(error)?.code === 'EACCES' ? 'refused' : 'failed'

/** Returns null for a bug. */
function findReason(error: unknown): string | null {
  if (error instanceof CannotStart && error.name === 'FolderInUse') return translate('cli.owner.busy')
  if (error instanceof CannotStart || error instanceof BackupFailed || isRefusal(error)) return error.message
  const outage = findOutage(error)
  if (outage) return outage.message
  const file = fileErrorIn(error)
  if (file === null) return null
  const key = fileReasons[file.code]
  return key && file.path !== null ? translate(key, { path: file.path }) : file.message
}

const fileReasons: Readonly<
  Record<string, `cli.owner.${'notFound' | 'notInFolder' | 'isFolder' | 'noPermission'}` | undefined>
> = {
  ENOENT: 'cli.owner.notFound',
  ENOTDIR: 'cli.owner.notInFolder',
  EISDIR: 'cli.owner.isFolder',
  EACCES: 'cli.owner.noPermission',
}

/** Returns Node's error of a file; null for any other error. */
function fileErrorIn(error: unknown) {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return null
  return { code: String(error.code), path: 'path' in error ? String(error.path) : null, message: error.message }
}
