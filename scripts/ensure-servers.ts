import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { findChromium } from '../testing/servers/chromium.ts'
import { findNginx } from '../testing/servers/nginx.ts'
import { findPostgresPrograms } from '../testing/servers/postgres-programs.ts'
import { findNewerRedis, newerRedis } from '../testing/servers/redis-programs.ts'

interface Need {
  readonly name: string
  /** The Debian packages that contain it; Chromium needs fonts, or screenshots have no text. */
  readonly packages: readonly string[]
  /** Whether `scripts/fetch-redis.ts` fetches it on Debian and Ubuntu, whose own packages may be too old. */
  readonly isFetched?: true
  readonly isThere: () => boolean
}

/** The programs that the tests need besides Node. */
export const needs: readonly Need[] = [
  { name: 'redis-server', packages: ['redis-server'], isThere: () => isOnPath('redis-server') },
  ...newerRedis.map((wanted) => ({
    name: wanted.name,
    packages: [wanted.program],
    isFetched: true as const,
    isThere: () => findNewerRedis(wanted).command !== null,
  })),
  { name: 'PostgreSQL', packages: ['postgresql'], isThere: () => findPostgresPrograms() !== null },
  { name: 'exiftool', packages: ['libimage-exiftool-perl'], isThere: () => isOnPath('exiftool') },
  { name: 'curl', packages: ['curl'], isThere: () => isOnPath('curl') },
  { name: 'nginx', packages: ['nginx-light'], isThere: () => findNginx() !== null },
  {
    name: 'Chromium',
    packages: ['chromium-headless-shell', 'fonts-liberation'],
    isThere: () => findChromium() !== null,
  },
]

/** What an installation needs to know of the machine and do to it; tests substitute their own. */
export interface Machine {
  readonly system: 'debian' | 'ubuntu' | 'other'
  readonly isRoot: boolean
  readonly run: (command: readonly string[]) => void
}

export const thisMachine: Machine = {
  system: parseSystem(existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''),
  isRoot: process.getuid?.() === 0,
  run: ([program = '', ...args]) => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const { status } = spawnSync(program, args, { env, stdio: ['ignore', 'inherit', 'inherit'] })
    if (status !== 0) throw new Error(`\`${[program, ...args].join(' ')}\` failed`)
  },
}

/** Installs missing programs if no confirmation is needed: as root on Debian or Ubuntu, or if fetching into a folder of this
 *  repository is enough. Otherwise throws an error with the command to run. */
export function ensureServers(machine: Machine = thisMachine, wanted: readonly Need[] = needs): void {
  const missing = wanted.filter((need) => !need.isThere())
  if (missing.length === 0) return
  const names = missing.map(({ name }) => name).join(', ')
  const commands = installCommands(machine.system, missing)
  const asRoot = commands.some(([program]) => program !== 'node')
  if (machine.system === 'other' || (asRoot && !machine.isRoot)) {
    throw new Error(`The tests need ${names}. Install with:\n  ${commandLine(machine, commands)}`)
  }
  for (const command of commands) machine.run(command)
  const still = missing.filter((need) => !need.isThere()).map(({ name }) => name)
  if (still.length > 0) throw new Error(`Still missing after installing: ${still.join(', ')}`)
}

/** Returns the machine's package system from the text of /etc/os-release. */
export function parseSystem(osRelease: string): Machine['system'] {
  const values = [...osRelease.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)"?$/gm)].flatMap((match) => match[1]?.split(' '))
  if (values.includes('ubuntu')) return 'ubuntu'
  return values.includes('debian') ? 'debian' : 'other'
}

/** Homebrew's names for Debian's packages, where they differ. */
const brewNames = new Map([
  ['redis-server', 'redis'],
  ['valkey-server', 'valkey'],
  ['libimage-exiftool-perl', 'exiftool'],
  ['nginx-light', 'nginx'],
])

function installCommands(system: Machine['system'], missing: readonly Need[]): string[][] {
  // Ubuntu's chromium is a snap, which does not run in containers: use Playwright's there, as on any other system.
  const byPlaywright = system === 'debian' ? [] : missing.filter(({ name }) => name === 'Chromium')
  const fetched = system === 'other' ? [] : missing.filter(({ isFetched }) => isFetched)
  const installed = missing.filter((need) => !byPlaywright.includes(need) && !fetched.includes(need))
  // The keys with which apt verifies Debian's packages; every Debian has them.
  const keys = system === 'ubuntu' && fetched.length > 0 ? ['debian-archive-keyring'] : []
  const packages = [...installed.flatMap((need) => need.packages), ...keys]
  return [
    ...(packages.length > 0 ? packageCommands(system, packages) : []),
    ...(byPlaywright.length > 0 ? [['npx', 'playwright', 'install', '--with-deps', 'chromium']] : []),
    ...(fetched.length > 0 ? [['node', 'scripts/fetch-redis.ts']] : []),
  ]
}

function packageCommands(system: Machine['system'], packages: readonly string[]): string[][] {
  if (system === 'other') return [['brew', 'install', ...new Set(packages.map((name) => brewNames.get(name) ?? name))]]
  return [
    ['apt-get', 'update'],
    ['apt-get', 'install', '-y', '--no-install-recommends', ...packages],
  ]
}

function commandLine(machine: Machine, commands: readonly string[][]): string {
  const sudo = machine.system !== 'other' && !machine.isRoot ? 'sudo ' : ''
  return commands
    .map((command) => (command[0] === 'apt-get' ? `${sudo}${command.join(' ')}` : command.join(' ')))
    .join(' && ')
}

/** Whether a folder of the PATH has this program. */
export function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
}

if (import.meta.main) {
  try {
    ensureServers()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
