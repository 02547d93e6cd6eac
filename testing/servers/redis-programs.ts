import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A server of the Redis family that tests can start. */
export interface RedisProgram {
  /** The name in test titles: `Redis 8.0.2`, or the required version if it is missing. */
  readonly name: string
  /** The program, with arguments that precede the server's own; null if it is missing. */
  readonly command: readonly string[] | null
}

/** A server that is newer than on most machines. Newer releases of Debian contain it, and it runs from a folder on older ones. */
export interface NewerRedis {
  readonly name: string
  readonly program: 'redis-server' | 'valkey-server'
  /** The oldest sufficient version. */
  readonly since: string
  /** The release of Debian that contains it. */
  readonly debian: string
}

/** The first version of each kind with expiry of individual hash fields. */
export const newerRedis: readonly NewerRedis[] = [
  { name: 'Redis 7.4 or newer', program: 'redis-server', since: '7.4', debian: 'trixie' },
  { name: 'Valkey 9 or newer', program: 'valkey-server', since: '9.0', debian: 'forky' },
]

/** The machine's redis-server, whatever its version. */
export function machineRedis(): RedisProgram {
  const version = readVersion(['redis-server'])
  return { name: version?.name ?? 'redis-server', command: version && ['redis-server'] }
}

/** The machine's own if it is new enough, otherwise the one that `scripts/fetch-redis.ts` fetched. */
export function findNewerRedis({ name, program, since, debian }: NewerRedis): RedisProgram {
  for (const command of [[program], fetchedCommand(program, debian)]) {
    const version = readVersion(command)
    if (version && isSince(version.number, since)) return { name: version.name, command }
  }
  return { name, command: null }
}

/** The folder with the unpacked packages of a newer Debian for `program`. */
export function fetchedFolder(program: string, debian: string): string {
  return join(import.meta.dirname, '../../node_modules/.cache/sluice', `${program}-${debian}`)
}

/** It needs newer libraries than the machine's, so it is started by its own loader with the fetched libraries. */
function fetchedCommand(program: string, debian: string): readonly string[] {
  const folder = fetchedFolder(program, debian)
  const [loader] = globSync(join(folder, 'usr/lib/*/ld-linux*.so.*'))
  return loader === undefined ? [] : [loader, '--library-path', dirname(loader), join(folder, 'usr/bin', program)]
}

const isSince = (number: string, since: string) => number.localeCompare(since, 'en', { numeric: true }) >= 0

/** Parses the output of `--version`: `Redis server v=7.0.15 sha=…`. */
function readVersion([file, ...args]: readonly string[]): { readonly name: string; readonly number: string } | null {
  if (file === undefined) return null
  const { stdout } = spawnSync(file, [...args, '--version'], { encoding: 'utf8' })
  const match = /^(\w+) server v=(\d+\.\d+)(\S*)/.exec(stdout ?? '')
  if (!match) return null
  const [, kind = '', number = '', rest = ''] = match
  return { name: `${kind} ${number}${rest}`, number }
}
