import { expect, test } from 'vitest'
import { ensureServers, type Machine, needs, parseSystem } from './ensure-servers.ts'

/** A machine without `absent`, on which an installation adds what was absent. */
function machineWithout(absent: readonly string[], machine: Pick<Machine, 'system' | 'isRoot'>, installs = true) {
  const commands: string[] = []
  const isThere = (name: string) =>
    !absent.includes(name) || (installs && commands.some((line) => /install|fetch/.test(line)))
  return {
    commands,
    wanted: needs.map((need) => ({ ...need, isThere: () => isThere(need.name) })),
    machine: { ...machine, run: (command: readonly string[]) => void commands.push(command.join(' ')) },
  }
}

const newer = ['Redis 7.4 or newer', 'Valkey 9 or newer']
const everything = ['redis-server', ...newer, 'PostgreSQL', 'exiftool', 'curl', 'nginx', 'Chromium']

test('runs nothing if nothing is missing', () => {
  const { machine, wanted, commands } = machineWithout([], { system: 'debian', isRoot: true })
  ensureServers(machine, wanted)
  expect(commands).toEqual([])
})

test('installs only what is missing as root on Debian', () => {
  const { machine, wanted, commands } = machineWithout(['redis-server', 'Chromium'], { system: 'debian', isRoot: true })
  ensureServers(machine, wanted)
  expect(commands).toEqual([
    'apt-get update',
    'apt-get install -y --no-install-recommends redis-server chromium-headless-shell fonts-liberation',
  ])
})

test("installs Playwright's Chromium as root on Ubuntu", () => {
  const { machine, wanted, commands } = machineWithout(everything, { system: 'ubuntu', isRoot: true })
  ensureServers(machine, wanted)
  expect(commands).toEqual([
    'apt-get update',
    'apt-get install -y --no-install-recommends redis-server postgresql libimage-exiftool-perl curl nginx-light debian-archive-keyring',
    'npx playwright install --with-deps chromium',
    'node scripts/fetch-redis.ts',
  ])
})

test('prints the command and runs nothing without root', () => {
  const { machine, wanted, commands } = machineWithout(everything, { system: 'debian', isRoot: false })
  expect(() => ensureServers(machine, wanted)).toThrow(
    'The tests need redis-server, Redis 7.4 or newer, Valkey 9 or newer, PostgreSQL, exiftool, curl, nginx, Chromium. Install with:\n' +
      '  sudo apt-get update && ' +
      'sudo apt-get install -y --no-install-recommends redis-server postgresql libimage-exiftool-perl curl nginx-light chromium-headless-shell fonts-liberation && ' +
      'node scripts/fetch-redis.ts',
  )
  expect(commands).toEqual([])
})

test('fetches programs into a folder without root', () => {
  const { machine, wanted, commands } = machineWithout(newer, { system: 'debian', isRoot: false })
  ensureServers(machine, wanted)
  expect(commands).toEqual(['node scripts/fetch-redis.ts'])
})

test('prints a command for other systems', () => {
  const { machine, wanted, commands } = machineWithout(everything, { system: 'other', isRoot: true })
  expect(() => ensureServers(machine, wanted)).toThrow(
    '  brew install redis valkey postgresql exiftool curl nginx && npx playwright install --with-deps chromium',
  )
  expect(commands).toEqual([])
})

test('throws if an installation adds nothing', () => {
  const { machine, wanted } = machineWithout(['PostgreSQL'], { system: 'debian', isRoot: true }, false)
  expect(() => ensureServers(machine, wanted)).toThrow('Still missing after installing: PostgreSQL')
})

test.each([
  ['PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n', 'debian'],
  ['NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\n', 'ubuntu'],
  ['ID=linuxmint\nID_LIKE="ubuntu debian"\n', 'ubuntu'],
  ['ID="fedora"\n', 'other'],
  ['', 'other'],
])('%j is %s', (osRelease, system) => {
  expect(parseSystem(osRelease)).toBe(system)
})
