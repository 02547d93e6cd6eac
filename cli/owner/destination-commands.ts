import { formatBytes } from '#format/bytes.ts'
import { translate } from '#messages/translate.ts'
import { CommandFailed, exitCodes, type Io, print, say } from '../command.ts'
import { buildClient, openOwnerAccess } from './access.ts'
import { openSetDestination } from './backup-source.ts'
import { explainErrors } from './explain-errors.ts'

/** Makes a backup at the destination of the settings. Returns the exit code. */
export async function runBackup(io: Io): Promise<number> {
  await using access = await openOwnerAccess(io)
  const result = await explainErrors(
    io,
    () => access.runBackup(io.signal),
    (reason) => translate('cli.owner.backupFailed', { reason }),
  )
  if ('refused' in result)
    throw new CommandFailed('failed', translate('cli.owner.backupFailed', { reason: result.refused }))
  say(io, result.done)
  if (result.warned === undefined) return exitCodes.done
  say(io, result.warned)
  return exitCodes.failed
}

/** Lists the snapshots at the destination, one a line. Returns the exit code. */
export async function listBackups(io: Io): Promise<number> {
  const { listSnapshots } = await import('#server/backups/snapshots.ts')
  await explainErrors(io, async () => {
    await using destination = await openSetDestination(io)
    for (const { name, size } of await listSnapshots(destination.snapshots))
      print(io, `${name}\t${formatBytes(size, 'en')}`)
  })
  return exitCodes.done
}

/** Reads a snapshot and all its objects again. With `repair`, damaged copies are deleted, so that the next backup sends them again.
 *  Returns the exit code. */
export async function verifySnapshot(name: string, io: Io, { repair }: { readonly repair: boolean }): Promise<number> {
  await buildClient(io)
  const { verifyAt } = await import('./verify-snapshot.ts')
  const { describeBackup, reportDamaged } = await import('./backup-contents.ts')
  const { read, lost } = await explainErrors(
    io,
    () => verifyAt(name, io, repair),
    (reason) => translate('cli.owner.checkFailed', { file: name, reason }),
  )
  if (lost.length === 0) {
    say(io, translate('cli.owner.intact', { contents: describeBackup(read.manifest) }))
    return reportDamaged(io, read)
  }
  say(io, translate('cli.owner.copiesDamaged', { count: lost.length }))
  for (const key of lost) print(io, key)
  say(io, translate(repair ? 'cli.owner.copiesDeleted' : 'cli.owner.copiesHint'))
  return exitCodes.failed
}
