import type { RedisOptions } from 'ioredis'

/** The master that Sentinels name, and how to sign in to them and to it. */
export interface SentinelUrl {
  readonly sentinels: readonly { readonly host: string; readonly port: number }[]
  /** The name under which the Sentinels watch the master. */
  readonly name: string
  readonly isTls: boolean
  readonly ofMaster: Credentials
  readonly ofSentinels: Credentials
  readonly db: number
}

/** A Redis that listens on a Unix socket. */
export interface SocketUrl extends Credentials {
  readonly path: string
  readonly db: number
}

export interface Credentials {
  readonly username?: string
  readonly password?: string
}

const CREDENTIALS = '(?:(?<credentials>[^@/?#]*)@)?'
const QUERY = String.raw`(?:\?(?<query>[^#]*))?`
// Neither is a URL that URL parses: of one the hosts are several, the other has a user and no host.
const SENTINEL = new RegExp(
  String.raw`^redis(?<tls>s?)\+sentinel://${CREDENTIALS}(?<hosts>[^@/?#]+)/(?<name>[^/?#]+)${QUERY}$`,
)
const SOCKET = new RegExp(`^unix://${CREDENTIALS}(?<path>/[^?#]+)${QUERY}$`)

const isSentinelUrl = (redisUrl: string): boolean => /^rediss?\+sentinel:/.test(redisUrl)
const isSocketUrl = (redisUrl: string): boolean => redisUrl.startsWith('unix:')

/** Whether the URL is of one Redis, or of nodes of a Cluster, by TCP. */
export const isNodeUrl = (redisUrl: string): boolean => !isSentinelUrl(redisUrl) && !isSocketUrl(redisUrl)

/** Parses `redis+sentinel://user:password@host:26379,host/name`, or `rediss+sentinel:` for TLS to both. The user and password
 *  are the master's; `sentinel_username`, `sentinel_password` and `db` are parameters. Returns null for another scheme.
 *  Throws SyntaxError, whose message says what to write. */
export function parseSentinelUrl(redisUrl: string): SentinelUrl | null {
  if (!isSentinelUrl(redisUrl)) return null
  const parts = SENTINEL.exec(redisUrl)?.groups
  const hosts = parts?.hosts?.split(',').map((host) => `redis://${host.trim()}`)
  if (!parts || !hosts?.every((host) => URL.canParse(host)))
    throw new SyntaxError(`must read redis+sentinel://host:26379,host:26379/name${IN_PASSWORDS}`)
  const parameters = readParameters(parts.query, ['db', 'sentinel_username', 'sentinel_password'])
  return {
    sentinels: hosts.map((host) => hostAndPort(new URL(host), 26_379)),
    name: decodeURIComponent(parts.name ?? ''),
    isTls: parts.tls === 's',
    ofMaster: readCredentials(parts.credentials),
    ofSentinels: credentials(parameters.get('sentinel_username'), parameters.get('sentinel_password')),
    db: Number(parameters.get('db') ?? 0),
  }
}

/** Parses `unix://user:password@/path/redis.sock?db=0`, as redis-py and valkey-py read it: the user and password may be
 *  parameters too. Returns null for another scheme. Throws SyntaxError, whose message says what to write. */
export function parseSocketUrl(redisUrl: string): SocketUrl | null {
  if (!isSocketUrl(redisUrl)) return null
  const parts = SOCKET.exec(redisUrl)?.groups
  if (!parts) throw new SyntaxError(`must read unix:///run/redis/redis.sock${IN_PASSWORDS}`)
  const parameters = readParameters(parts.query, ['db', 'username', 'password'])
  return {
    path: decodeURIComponent(parts.path ?? ''),
    db: Number(parameters.get('db') ?? 0),
    ...credentials(parameters.get('username'), parameters.get('password')),
    ...readCredentials(parts.credentials),
  }
}

/** Returns the options by which the client connects, or null for a URL that it reads itself. */
export function optionsOf(redisUrl: string): RedisOptions | null {
  const sentinel = parseSentinelUrl(redisUrl)
  if (!sentinel) return parseSocketUrl(redisUrl)
  const { sentinels, name, isTls, ofMaster, ofSentinels, db } = sentinel
  return {
    sentinels: [...sentinels],
    name,
    db,
    ...ofMaster,
    ...(ofSentinels.username !== undefined && { sentinelUsername: ofSentinels.username }),
    ...(ofSentinels.password !== undefined && { sentinelPassword: ofSentinels.password }),
    ...(isTls && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  }
}

/** Returns where the Redis of the URL is, without its passwords. */
export function describeRedis(redisUrl: string): string {
  const socket = parseSocketUrl(redisUrl)
  if (socket) return `Redis at ${socket.path}`
  const sentinel = parseSentinelUrl(redisUrl)
  if (!sentinel)
    return `Redis at ${redisUrl
      .split(',')
      .map((url) => new URL(url).host)
      .join(', ')}`
  return `Redis, master ${sentinel.name} of the Sentinels at ${sentinel.sentinels.map(nameOf).join(', ')}`
}

export const nameOf = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

/** Returns the host without the brackets in which an IPv6 address stands in a URL, and only there. */
export function hostAndPort({ hostname, port }: URL, usualPort = 6379): { host: string; port: number } {
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || usualPort) }
}

const IN_PASSWORDS = '; in a password, write % as %25, @ as %40, / as %2F, ? as %3F, # as %23'

function readParameters(query: string | undefined, known: readonly string[]): URLSearchParams {
  // A + is a space in forms only.
  const parameters = new URLSearchParams(query?.replaceAll('+', '%2B'))
  const unknown = [...parameters.keys()].find((name) => !known.includes(name))
  if (unknown !== undefined) throw new SyntaxError(`has an unknown parameter ${unknown}: use ${known.join(', ')}`)
  if (!/^\d*$/.test(parameters.get('db') ?? ''))
    throw new SyntaxError('must have the number of a database as db, as ?db=0')
  return parameters
}

function readCredentials(text: string | undefined): Credentials {
  const [username = '', ...password] = text?.split(':') ?? []
  return credentials(decodeURIComponent(username), decodeURIComponent(password.join(':')))
}

function credentials(username: string | null, password: string | null): Credentials {
  return { ...(username && { username }), ...(password && { password }) }
}
