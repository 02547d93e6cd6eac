import { expect, test } from 'vitest'
import { ensureServers, type Machine, needs, systemOf } from './ensure-servers.ts'

/** A machine without `absent`, on which an install brings what was absent. */
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
const everything = ['redis-server', ...newer, 'PostgreSQL', 'exiftool', 'curl', 'Chromium']

test('nothing is run where nothing is missing', () => {
  const { machine, wanted, commands } = machineWithout([], { system: 'debian', isRoot: true })
  ensureServers(machine, wanted)
  expect(commands).toEqual([])
})

test('root on Debian installs just what is missing', () => {
  const { machine, wanted, commands } = machineWithout(['redis-server', 'Chromium'], { system: 'debian', isRoot: true })
  ensureServers(machine, wanted)
  expect(commands).toEqual([
    'apt-get update',
    'apt-get install -y --no-install-recommends redis-server chromium fonts-liberation',
  ])
})

test("root on Ubuntu takes Playwright's Chromium", () => {
  const { machine, wanted, commands } = machineWithout(everything, { system: 'ubuntu', isRoot: true })
  ensureServers(machine, wanted)
  expect(commands).toEqual([
    'apt-get update',
    'apt-get install -y --no-install-recommends redis-server postgresql libimage-exiftool-perl curl debian-archive-keyring',
    'npx playwright install --with-deps chromium',
    'node scripts/fetch-redis.ts',
  ])
})

test('anybody else gets the command to run, and nothing is run', () => {
  const { machine, wanted, commands } = machineWithout(everything, { system: 'debian', isRoot: false })
  expect(() => ensureServers(machine, wanted)).toThrow(
    'The tests need redis-server, Redis 7.4 or newer, Valkey 9 or newer, PostgreSQL, exiftool, curl, Chromium. Install with:\n' +
      '  sudo apt-get update && ' +
      'sudo apt-get install -y --no-install-recommends redis-server postgresql libimage-exiftool-perl curl chromium fonts-liberation && ' +
      'node scripts/fetch-redis.ts',
  )
  expect(commands).toEqual([])
})

test('what is only fetched into a folder needs no root', () => {
  const { machine, wanted, commands } = machineWithout(newer, { system: 'debian', isRoot: false })
  ensureServers(machine, wanted)
  expect(commands).toEqual(['node scripts/fetch-redis.ts'])
})

test('other systems get a command too', () => {
  const { machine, wanted, commands } = machineWithout(everything, { system: 'other', isRoot: true })
  expect(() => ensureServers(machine, wanted)).toThrow(
    '  brew install redis valkey postgresql exiftool curl && npx playwright install --with-deps chromium',
  )
  expect(commands).toEqual([])
})

test('an install that brings nothing is an error', () => {
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
  expect(systemOf(osRelease)).toBe(system)
})
