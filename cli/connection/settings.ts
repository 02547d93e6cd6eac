import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { CommandFailed, type Io } from '../command.ts'

/** Where and as whom commands speak. */
export interface Login {
  /** The server's origin, without a slash behind. */
  readonly url: string
  readonly token: string
}

/** What `sluice login` keeps. */
export interface SavedLogin extends Login {
  readonly username: string
}

type Environment = Io['env']

/** Where commands keep what they have to know again: the log of uploads. */
export const stateFolder = (env: Environment): string => folderOf(env, 'XDG_STATE_HOME', '.local/state')

const configFile = (env: Environment): string => join(folderOf(env, 'XDG_CONFIG_HOME', '.config'), 'config.json')

/** By the XDG Base Directory Specification: a relative path counts as none. */
function folderOf(env: Environment, name: string, otherwise: string): string {
  const set = env[name]
  return join(set && isAbsolute(set) ? set : join(env.HOME || homedir(), otherwise), 'sluice')
}

/** By SLUICE_URL and SLUICE_TOKEN, and by what `sluice login` kept where they say nothing. A kept token goes to its own server
 *  alone. Throws CommandFailed where there is none. */
export async function loginOf({ env }: Pick<Io, 'env'>): Promise<Login> {
  const saved = await savedLogin(env)
  const url = env.SLUICE_URL ? originOf(env.SLUICE_URL) : saved?.url
  const own = env.SLUICE_TOKEN?.trim()
  const token = own || (saved?.url === url ? saved?.token : undefined)
  // What no header may hold would look as if nobody answered.
  if (own && !/^[\x21-\x7e]+$/.test(own))
    throw new CommandFailed(
      'notSignedIn',
      'SLUICE_TOKEN is no token: it has a space or another character that none has.',
    )
  if (url && token) return { url, token }
  throw new CommandFailed(
    'notSignedIn',
    url
      ? `There is no token for ${url}: run sluice login, or set SLUICE_TOKEN.`
      : 'Run sluice login first, or set SLUICE_URL and SLUICE_TOKEN.',
  )
}

/** What `sluice login` kept; null when there is nothing. */
export async function savedLogin(env: Environment): Promise<SavedLogin | null> {
  const path = configFile(env)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new CommandFailed('failed', `${path} cannot be read: ${error.message}`)
  })
  if (text === null) return null
  const login = loginIn(text)
  if (login === null) throw new CommandFailed('failed', `${path} is damaged: remove it and run sluice login again.`)
  return login
}

/** Keeps a login, for its owner's eyes alone. */
export async function saveLogin(env: Environment, login: SavedLogin): Promise<string> {
  const path = configFile(env)
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
  const unfinished = `${path}.${process.pid}`
  await writeFile(unfinished, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 })
  await rename(unfinished, path)
  return path
}

export const forgetLogin = (env: Environment): Promise<void> => rm(configFile(env), { force: true })

/** The origin of an address as people write it: where no scheme is said, by TLS, and plain on this machine. Throws CommandFailed
 *  for what is none. */
export function originOf(text: string): string {
  const url = /^[a-z]+:\/\//i.test(text) ? URL.parse(text) : originWithout(text)
  if (url && (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '') return url.origin
  throw new CommandFailed('usage', `${text} is no address of a server: write it like https://images.example.com.`)
}

function originWithout(text: string): URL | null {
  const plain = URL.parse(`http://${text}`)
  return plain && isThisMachine(plain) ? plain : URL.parse(`https://${text}`)
}

/** Whether an address never leaves the machine (RFC 6761, section 6.3). */
export const isThisMachine = ({ hostname }: URL): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)

function loginIn(text: string): SavedLogin | null {
  try {
    const kept: unknown = JSON.parse(text)
    if (typeof kept !== 'object' || kept === null) return null
    if (!('url' in kept && 'token' in kept && 'username' in kept)) return null
    const { url, token, username } = kept
    if (typeof url !== 'string' || typeof token !== 'string' || typeof username !== 'string') return null
    return { url: originOf(url), token, username }
  } catch {
    return null
  }
}
