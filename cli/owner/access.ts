import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Role } from '#server/accounts/viewer.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { type Config, loadConfig, loadSettingsFile } from '#server/config.ts'
import type { Outcome } from '#server/owner/accounts.ts'
import { CommandFailed, exitCodes, type Io, say } from '../command.ts'
import { connectToServer } from './running-server.ts'

/** A backup on its way. */
export interface Incoming {
  readonly objects: number
  /** About as many as will come. */
  readonly bytes: number
  readonly body: Readable
  /** Once all has come: throws CommandFailed where that is not all there is. */
  finish(): Promise<void>
}

/** What the owner may do on the server's machine: asked of the server that runs, or done by the command itself. */
export interface OwnerAccess extends AsyncDisposable {
  resetPassword(input: { username: string; password: string }): Promise<Outcome>
  createUser(input: { username: string; password: string; role: Role }): Promise<Outcome>
  backup(): Promise<Incoming>
}

/** The settings of the server, as `npm start` would read them here. Throws CommandFailed. */
export async function readSettings({ env }: Io): Promise<Config> {
  loadSettingsFile('.env')
  return explained(() => loadConfig(env))
}

/** Reaches the server that runs over the data folder, or opens what it would open. Throws CommandFailed. */
export async function openAccess(io: Io, { mayBeNew = false } = {}): Promise<OwnerAccess> {
  const config = await readSettings(io)
  const running = await connectToServer(config.dataDir, io.signal)
  if (running) return running
  await refuseOthers(config)
  await buildClient(io)
  const { openHere } = await import('./here.ts')
  return explained(() => openHere(config, mayBeNew ? 'same or none' : 'same', (line) => say(io, line)))
}

/** What root writes is root's from then on, and keeps a server that is another user from starting. Throws CommandFailed. */
export async function refuseOthers({ dataDir }: Config): Promise<void> {
  if (process.getuid?.() !== 0) return
  for (const name of await readdir(dataDir)) {
    const { uid } = await stat(join(dataDir, name))
    if (uid === 0) continue
    const words = `No server runs, and what is in ${dataDir} is another user's: do this as that user, with sudo -u '#${uid}'.`
    throw new CommandFailed('refused', words)
  }
}

/** Generates the database client where it is missing or old. What that prints is for people. */
export async function buildClient(io: Io): Promise<void> {
  hideExperiments()
  const { buildIfStale } = await import('#server/build.ts')
  await explained(() => buildIfStale({ pages: false, say: (line) => say(io, line) }))
}

/** What the server is started with does that too: SQLite and WebAssembly modules are what Node calls experiments. */
function hideExperiments(): void {
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') console.error(warning)
  })
}

/** What keeps a server from starting keeps the command from it too. */
export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isDenied(error))
      throw new CommandFailed('refused', `${error.path} is only for the user whose server this is, and root.`)
    if (!(error instanceof CannotStart)) throw error
    const isHeld = error.name === 'FolderInUse'
    throw new CommandFailed(
      'failed',
      isHeld
        ? 'Another process has the database open, but takes no commands: a server that starts or stops, or another command. Try again in a moment.'
        : error.message,
    )
  }
}

const isDenied = (error: unknown): error is Error & { readonly path: unknown } =>
  error instanceof Error && 'code' in error && error.code === 'EACCES' && 'path' in error

/** Says what became of a command, and answers its exit code. Throws CommandFailed for a refusal. */
export function tell(io: Io, outcome: Outcome): number {
  if ('refused' in outcome) throw new CommandFailed('refused', outcome.refused)
  say(io, outcome.done)
  return exitCodes.done
}
