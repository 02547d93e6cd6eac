import { type Credentials, nameOf, parseSocketUrl, type SentinelUrl } from './redis-url.ts'

/** One server that is checked at start, and how the setting that leads to it is corrected. */
export interface RedisAddress {
  /** As the client takes it, with user and password. */
  readonly url: string
  /** In sentences. */
  readonly name: string
  /** What to write for a connection without TLS, and for one with it. */
  readonly plain: string
  readonly secure: string
  /** How to add a password, and what to correct if it is wrong. */
  readonly signIn: string
  readonly credentials: string
  /** Whether Sentinels have named it as the master. */
  readonly isElected: boolean
}

/** The address of a Redis by TCP or by a socket. */
export function addressOfRedis(url: string): RedisAddress {
  const path = parseSocketUrl(url)?.path
  const name = path ?? new URL(url).host
  const scheme = /^\w+/.exec(url)?.[0]
  return {
    url,
    name,
    plain: `redis://${name}`,
    secure: `rediss://${name}`,
    signIn: `Write it as ${scheme}://:password@${name}.`,
    credentials: 'them',
    isElected: false,
  }
}

type HostAndPort = SentinelUrl['sentinels'][number]

export function addressOfSentinel({ isTls, ofSentinels }: SentinelUrl, at: HostAndPort): RedisAddress {
  return {
    url: urlOf(at, { isTls, ...ofSentinels }),
    name: `the Sentinel at ${nameOf(at)}`,
    ...SENTINEL_SCHEMES,
    signIn: 'Add it as ?sentinel_password=….',
    credentials: 'sentinel_username and sentinel_password',
    isElected: false,
  }
}

export function addressOfMaster({ name, isTls, ofMaster, db }: SentinelUrl, at: HostAndPort): RedisAddress {
  return {
    url: `${urlOf(at, { isTls, ...ofMaster })}/${db}`,
    name: `the master ${name} at ${nameOf(at)}`,
    ...SENTINEL_SCHEMES,
    signIn: 'Write it before the first Sentinel, as redis+sentinel://:password@….',
    credentials: 'them',
    isElected: true,
  }
}

const SENTINEL_SCHEMES = { plain: 'redis+sentinel://', secure: 'rediss+sentinel://' }

function urlOf(at: HostAndPort, { isTls, username = '', password = '' }: Credentials & { isTls: boolean }): string {
  const user = `${encodeURIComponent(username)}:${encodeURIComponent(password)}@`
  return `redis${isTls ? 's' : ''}://${username || password ? user : ''}${nameOf(at)}`
}
