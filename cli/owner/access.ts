import { translate } from '#messages/translate.ts'
import { type Config, type ConfigWithoutSecret, loadSettingsFile, readConfig } from '#server/config.ts'
import type { CommandResult } from '#server/owner/accounts.ts'
import { othersFile } from '#server/owner/others-file.ts'
import { CommandFailed, exitCodes, type Io, print, say } from '../command.ts'
import { explainErrors } from './explain-errors.ts'
import type { OwnerAccess } from './owner-access.ts'
import { connectToServer } from './running-server.ts'

/** Reads the server's settings as `npm start` would in this folder, and creates nothing. Throws CommandFailed. */
export function readSettings(io: Io): Promise<ConfigWithoutSecret> {
  return explainErrors(io, async () => {
    loadSettingsFile('.env')
    return readConfig(io.env)
  })
}

/** Connects to the server that runs on the data folder, or opens what it would open. Throws CommandFailed. */
export async function openOwnerAccess(io: Io, { mayBeNew = false } = {}): Promise<OwnerAccess> {
  const config = await readSettings(io)
  const running = await explainErrors(io, () => connectToServer(config.dataDir, io.signal))
  if (running) return running
  await refuseOthers(config)
  await buildClient(io)
  const { openHere } = await import('./here.ts')
  return explainErrors(io, () => openHere(config, mayBeNew ? 'same-or-none' : 'same', (line) => say(io, line)))
}

/** Throws CommandFailed if the data belongs to another user: files that root creates would keep the server from starting. */
export async function refuseOthers({ dataDir }: Pick<Config, 'dataDir'>): Promise<void> {
  const found = await othersFile(dataDir)
  if (!found) return
  const command = `sudo -u '#${found.uid}'`
  throw new CommandFailed('refused', translate('cli.owner.otherUser', { path: found.path, command }))
}

/** Generates the database client if it is missing or out of date. Its output goes to standard error. */
export async function buildClient(io: Io): Promise<void> {
  hideExperiments()
  const { ensureBuilt } = await import('#server/ensure-built.ts')
  await explainErrors(io, () => ensureBuilt({ say: (line) => say(io, line) }))
}

/** Hides Node's warnings about SQLite and WebAssembly modules, as the start of the server does. */
function hideExperiments(): void {
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') console.error(warning)
  })
}

/** Reports the result of a command and returns its exit code. Throws CommandFailed for a refusal. */
export function reportResult(io: Io, outcome: CommandResult): number {
  if ('refused' in outcome) throw new CommandFailed('refused', outcome.refused)
  say(io, outcome.done)
  if (outcome.printed !== undefined) print(io, outcome.printed)
  return exitCodes.done
}
