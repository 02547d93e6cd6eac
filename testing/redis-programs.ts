import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A server of the Redis family that tests can start. */
export interface RedisProgram {
  /** As tests are titled: `Redis 8.0.2`, or what is wanted where there is none. */
  readonly name: string
  /** The program and what comes before the server's own arguments; null where there is none. */
  readonly command: readonly string[] | null
}

/** A server newer than most machines have. Debian's newer releases have it, and it runs from a folder on an older one. */
export interface NewerRedis {
  readonly name: string
  readonly program: 'redis-server' | 'valkey-server'
  /** The first version that will do. */
  readonly since: string
  /** The release of Debian whose package it is. */
  readonly debian: string
}

/** The first of each kind whose hashes have fields that expire one by one. */
export const newerRedis: readonly NewerRedis[] = [
  { name: 'Redis 7.4 or newer', program: 'redis-server', since: '7.4', debian: 'trixie' },
  { name: 'Valkey 9 or newer', program: 'valkey-server', since: '9.0', debian: 'forky' },
]

/** The machine's own redis-server, whatever its version. */
export function machineRedis(): RedisProgram {
  const version = versionOf(['redis-server'])
  return { name: version?.name ?? 'redis-server', command: version && ['redis-server'] }
}

/** The machine's own where that is new enough, or else the one that `scripts/fetch-redis.ts` fetched. */
export function findNewerRedis({ name, program, since, debian }: NewerRedis): RedisProgram {
  for (const command of [[program], fetchedCommand(program, debian)]) {
    const version = versionOf(command)
    if (version && isSince(version.number, since)) return { name: version.name, command }
  }
  return { name, command: null }
}

/** Where the packages of a newer Debian are unpacked for `program`. */
export function fetchedFolder(program: string, debian: string): string {
  return join(import.meta.dirname, '../node_modules/.cache/sluice', `${program}-${debian}`)
}

/** Older libraries of the machine cannot run it: its own loader does, with the libraries that came along. */
function fetchedCommand(program: string, debian: string): readonly string[] {
  const folder = fetchedFolder(program, debian)
  const [loader] = globSync(join(folder, 'usr/lib/*/ld-linux*.so.*'))
  return loader === undefined ? [] : [loader, '--library-path', dirname(loader), join(folder, 'usr/bin', program)]
}

const isSince = (number: string, since: string) => number.localeCompare(since, 'en', { numeric: true }) >= 0

/** What `--version` says: `Redis server v=7.0.15 sha=…`. */
function versionOf([file, ...args]: readonly string[]): { readonly name: string; readonly number: string } | null {
  if (file === undefined) return null
  const { stdout } = spawnSync(file, [...args, '--version'], { encoding: 'utf8' })
  const match = /^(\w+) server v=(\d+\.\d+)(\S*)/.exec(stdout ?? '')
  if (!match) return null
  const [, kind = '', number = '', rest = ''] = match
  return { name: `${kind} ${number}${rest}`, number }
}
