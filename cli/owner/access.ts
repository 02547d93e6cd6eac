import { type Config, type ConfigWithoutSecret, loadSettingsFile, readConfig } from '#server/config.ts'
import type { CommandResult } from '#server/owner/accounts.ts'
import { othersFile } from '#server/owner/others-file.ts'
import { CommandFailed, exitCodes, type Io, say } from '../command.ts'
import { inWords } from './in-words.ts'
import type { OwnerAccess } from './owner-access.ts'
import { connectToServer } from './running-server.ts'

/** The settings of the server, as `npm start` would read them here; nothing is made. Throws CommandFailed. */
export function readSettings(io: Io): Promise<ConfigWithoutSecret> {
  return inWords(io, null, async () => {
    loadSettingsFile('.env')
    return readConfig(io.env)
  })
}

/** Reaches the server that runs over the data folder, or opens what it would open. Throws CommandFailed. */
export async function openAccess(io: Io, { mayBeNew = false } = {}): Promise<OwnerAccess> {
  const config = await readSettings(io)
  const running = await inWords(io, null, () => connectToServer(config.dataDir, io.signal))
  if (running) return running
  await refuseOthers(config)
  await buildClient(io)
  const { openHere } = await import('./here.ts')
  return inWords(io, null, () => openHere(config, mayBeNew ? 'same or none' : 'same', (line) => say(io, line)))
}

/** Refuses to do as root what only another user may do without harm. Throws CommandFailed. */
export async function refuseOthers({ dataDir }: Pick<Config, 'dataDir'>): Promise<void> {
  const found = await othersFile(dataDir)
  if (!found) return
  const words = `No server runs, and ${found.path} is another user's: do this as that user, with sudo -u '#${found.uid}'.`
  throw new CommandFailed('refused', words)
}

/** Generates the database client where it is missing or old. What that prints is for people. */
export async function buildClient(io: Io): Promise<void> {
  hideExperiments()
  const { buildIfStale } = await import('#server/build.ts')
  await inWords(io, null, () => buildIfStale({ pages: false, say: (line) => say(io, line) }))
}

/** What the server is started with does that too: SQLite and WebAssembly modules are what Node calls experiments. */
function hideExperiments(): void {
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') console.error(warning)
  })
}

/** Says what became of a command, and answers its exit code. Throws CommandFailed for a refusal. */
export function tell(io: Io, outcome: CommandResult): number {
  if ('refused' in outcome) throw new CommandFailed('refused', outcome.refused)
  say(io, outcome.done)
  return exitCodes.done
}
