import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatList } from '#format/counts.ts'
import { translate } from '#messages/translate.ts'
import { type ConfigWithoutSecret, readSecret } from '#server/config.ts'
import type { ReadBackup } from '#server/owner/backup/read-backup.ts'
import { isListening } from '#server/owner/control-socket.ts'
import type { Opened } from '#server/owner/open-directly.ts'
import { CommandFailed, exitCodes, type Io, say } from '../command.ts'
import { buildClient, readSettings, refuseOthers } from './access.ts'
import type { BackupSource } from './backup-source.ts'
import { explainErrors } from './explain-errors.ts'
import { showPercent } from './percent.ts'

/** Verifies a backup against its hashes. Returns the exit code. */
export async function checkBackup(source: BackupSource, io: Io): Promise<number> {
  await buildClient(io)
  const { describeBackup, reportDamaged } = await import('./backup-contents.ts')
  const read = await readChecked(source, io)
  say(io, translate('cli.owner.intact', { contents: describeBackup(read.manifest) }))
  return reportDamaged(io, read)
}

/** Returns the contents of a verified backup. Throws CommandFailed for one that is damaged or incomplete. */
export async function readChecked(source: BackupSource, io: Io): Promise<ReadBackup> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-check-'))
  const percent = showPercent(io)
  try {
    const read = async () => {
      const progress = (bytes: number, of: number) => {
        io.signal.throwIfAborted()
        percent.at('checking', bytes, of)
      }
      await using opened = await source.open(progress)
      // Given this, also objects that are elsewhere are read.
      return opened.read({ folder, object: async () => undefined })
    }
    const { name } = source
    return await explainErrors(io, read, (reason) => translate('cli.owner.checkFailed', { file: name, reason }))
  } finally {
    percent.end()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Restores a backup into the database and the store of the settings. Returns the exit code. */
export async function restoreFrom(source: BackupSource, io: Io): Promise<number> {
  const config = await readSettings(io)
  if (await explainErrors(io, () => isListening(config.dataDir))) {
    throw new CommandFailed('refused', translate('cli.owner.serverRunning', { dataDir: config.dataDir }))
  }
  await refuseOthers(config)
  await buildClient(io)
  const { restoreBackup } = await import('#server/owner/backup/restore-backup.ts')
  const { describeBackup, reportDamaged } = await import('./backup-contents.ts')
  const percent = showPercent(io)
  const restore = async () => {
    let step: 'checking' | 'objects' | 'rows' = 'checking'
    const note = (bytes: number, of: number) => {
      io.signal.throwIfAborted()
      percent.at(step, bytes, of)
    }
    const progress = (next: typeof step) => {
      step = next
    }
    await using opened = await source.open(note)
    const secret = await readSecret(io.env)
    const { origin, site } = config
    const open = () => openTarget(config, io)
    return await restoreBackup(opened.read, { open, secret, origin, site, progress }).finally(() => percent.end())
  }
  const read = await explainErrors(io, restore, (reason) => translate('cli.owner.restoreFailed', { reason }))
  say(io, translate('cli.owner.restored', { contents: describeBackup(read.manifest) }))
  if (read.unknown.length > 0) say(io, translate('cli.owner.unknown', { names: read.unknown.join(', ') }))
  reportEnded(io, read.endedApps, (of) => translate('cli.owner.appsEnded', of))
  reportEnded(io, read.endedPasskeys, (of) => translate('cli.owner.passkeysEnded', { ...of, origin: config.origin }))
  if (read.hasEndedMailPassword) say(io, translate('cli.owner.mailPasswordEnded'))
  reportEndedProviders(io, read.endedProviders)
  reportDamaged(io, read)
  return exitCodes.done
}

/** User names that are listed. */
const LISTED = 10

function reportEnded(
  io: Io,
  usernames: readonly string[],
  toSentence: (of: { readonly accounts: number; readonly names: string }) => string,
): void {
  if (usernames.length === 0) return
  const more = usernames.length - LISTED
  const others = more > 0 ? [translate('cli.owner.othersMore', { count: more })] : []
  const names = formatList([...usernames.slice(0, LISTED), ...others], 'en')
  say(io, toSentence({ accounts: usernames.length, names }))
}

function reportEndedProviders(io: Io, labels: readonly string[]): void {
  if (labels.length === 0) return
  say(io, translate('cli.owner.providersEnded', { providers: labels.length, names: formatList(labels, 'en') }))
}

async function openTarget(config: ConfigWithoutSecret, io: Io): Promise<Opened> {
  const { openDirectly } = await import('#server/owner/open-directly.ts')
  await using opening = new AsyncDisposableStack()
  const opened = opening.use(await openDirectly(config, 'same-or-none', (line) => say(io, line)))
  for (const warning of await opened.store.verify()) say(io, warning)
  // From here on the caller closes it.
  opening.move()
  return opened
}
