import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { translate } from '#messages/translate.ts'
import { CommandFailed, type Io } from '../command.ts'

/** The server and the token of a command. */
export interface Login {
  /** The server's origin, without a trailing slash. */
  readonly url: string
  readonly token: string
}

/** What `sluice login` saves. */
export interface SavedLogin extends Login {
  readonly username: string
}

type Environment = Io['env']

/** Returns the folder for state between runs: the journal of uploads. */
export const stateFolder = (env: Environment): string => findFolder(env, 'XDG_STATE_HOME', '.local/state')

const configFile = (env: Environment): string => join(findFolder(env, 'XDG_CONFIG_HOME', '.config'), 'config.json')

/** Follows the XDG Base Directory Specification: a relative path is ignored. */
function findFolder(env: Environment, name: string, otherwise: string): string {
  const set = env[name]
  return join(set && isAbsolute(set) ? set : join(env.HOME || homedir(), otherwise), 'sluice')
}

/** Returns SLUICE_URL and SLUICE_TOKEN, or the saved login in place of a missing one. A saved token is only sent to its own
 *  server. Throws CommandFailed if there is no login. */
export async function readLogin({ env }: Pick<Io, 'env'>): Promise<Login> {
  const saved = await savedLogin(env)
  const url = env.SLUICE_URL ? parseOrigin(env.SLUICE_URL) : saved?.url
  const own = env.SLUICE_TOKEN?.trim()
  const token = own || (saved?.url === url ? saved?.token : undefined)
  // An invalid header value would fail as if there were no answer.
  if (own && !/^[\x21-\x7e]+$/.test(own))
    throw new CommandFailed('notSignedIn', translate('cli.connection.tokenInvalid'))
  if (url && token) return { url, token }
  throw new CommandFailed(
    'notSignedIn',
    url ? translate('cli.connection.noToken', { url }) : translate('cli.connection.noLogin'),
  )
}

/** Returns the saved login; null if there is none. */
export async function savedLogin(env: Environment): Promise<SavedLogin | null> {
  const path = configFile(env)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new CommandFailed('failed', translate('cli.connection.configUnreadable', { path, error: error.message }))
  })
  if (text === null) return null
  const login = loginIn(text)
  if (login === null) throw new CommandFailed('failed', translate('cli.connection.configDamaged', { path }))
  return login
}

/** Saves a login, readable by its owner only. Returns the path. */
export async function saveLogin(env: Environment, login: SavedLogin): Promise<string> {
  const path = configFile(env)
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
  const unfinished = `${path}.${process.pid}`
  await writeFile(unfinished, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 })
  await rename(unfinished, path)
  return path
}

export const forgetLogin = (env: Environment): Promise<void> => rm(configFile(env), { force: true })

/** Returns the origin of an address as people write it. Without a scheme it is https, or http on this machine. Throws
 *  CommandFailed for an invalid address. */
export function parseOrigin(text: string): string {
  const url = /^[a-z]+:\/\//i.test(text) ? URL.parse(text) : originWithout(text)
  if (url && (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '') return url.origin
  throw new CommandFailed('usage', translate('cli.connection.badAddress', { text }))
}

function originWithout(text: string): URL | null {
  const plain = URL.parse(`http://${text}`)
  return plain && isThisMachine(plain) ? plain : URL.parse(`https://${text}`)
}

/** Returns whether an address is this machine (RFC 6761, section 6.3). */
export const isThisMachine = ({ hostname }: URL): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)

function loginIn(text: string): SavedLogin | null {
  try {
    const saved: unknown = JSON.parse(text)
    if (typeof saved !== 'object' || saved === null) return null
    if (!('url' in saved && 'token' in saved && 'username' in saved)) return null
    const { url, token, username } = saved
    if (typeof url !== 'string' || typeof token !== 'string' || typeof username !== 'string') return null
    return { url: parseOrigin(url), token, username }
  } catch {
    return null
  }
}
