import { expect, test } from 'vitest'
import { commandHome } from '#testing/sluice/sluice-command.ts'
import about from '../package.json' with { type: 'json' }
import { commands } from './commands.ts'

test('each command has a name of its own, and its help shows how to call it', async () => {
  await using home = await commandHome()
  const names = commands.map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  for (const { name, calls, options = {} } of commands) {
    const { stdout } = await home.call(['help', ...name.split(' ')])
    for (const call of calls) expect(stdout).toContain(`Usage: ${`sluice ${name} ${call}`.trimEnd()}\n`)
    for (const option of Object.keys(options)) expect(stdout).toMatch(new RegExp(`^ {2}${option} +\\S`, 'm'))
  }
})

test('the list and each help fit a terminal', async () => {
  await using home = await commandHome()
  for (const words of [[], ...commands.map(({ name }) => name.split(' '))]) {
    const { code, stdout, stderr } = await home.call(['help', ...words])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  }
})

test('the list names every command once, in order', async () => {
  await using home = await commandHome()
  const { stdout } = await home.call([])
  const listed = stdout
    .split('\n')
    .flatMap((line) => /^ {2}(\w\S*(?: \S+)?) {2}/.exec(line.replace(/ +/g, spaced))?.[1] ?? [])
  expect(listed).toEqual(commands.map(({ name }) => name))
  expect(await home.call(['--help'])).toMatchObject({ code: 0, stdout })
})

/** Leaves two spaces between columns. */
const spaced = (spaces: string): string => spaces.slice(0, 2)

test.each(['--version', '-v'])('%s prints the version', async (option) => {
  await using home = await commandHome()
  expect(await home.call([option])).toEqual({ code: 0, stdout: `sluice ${about.version}\n`, stderr: '' })
})

test.each([
  [['help', 'nonsense'], 'sluice: Unknown command: nonsense. See: sluice help\n'],
  [['nonsense', '--help'], 'sluice: Unknown command: nonsense. See: sluice help\n'],
  [['help', 'uplaod'], 'sluice: Unknown command: uplaod. Did you mean upload?\n'],
  [['uplaod', 'a.png'], 'sluice: Unknown command: uplaod. Did you mean upload?\n'],
  [
    ['admin'],
    'sluice: Unknown command: admin. Did you mean admin reset-password, admin reset-factors or admin sign-in-link?\n',
  ],
])('%j is refused', async (args, stderr) => {
  await using home = await commandHome()
  expect(await home.call(args)).toEqual({ code: 2, stdout: '', stderr })
})

test.each([
  ['upload', '--fast', "Unknown option '--fast'"],
  ['user create', '--role', "Option '--role <value>' argument missing"],
  ['list', 'all', 'Unexpected argument: all.'],
  ['limits', 'all', 'Unexpected argument: all.'],
  ['login', 'sue', 'Unexpected argument: sue.'],
  ['logout', 'now', 'Unexpected argument: now.'],
])('%s %s is refused, and names the help', async (name, word, why) => {
  await using home = await commandHome()
  const stderr = `sluice: ${why}\nSee: sluice help ${name}\n`
  expect(await home.call([...name.split(' '), word])).toEqual({ code: 2, stdout: '', stderr })
})

test('each command shows its own help', async () => {
  await using home = await commandHome()
  const help = await home.call(['help', 'upload'])
  expect(help.stdout).toMatch(/^Upload files, .*\n\nUsage: sluice upload /)
  expect(await home.call(['upload', 'x.png', '--help'])).toEqual(help)
})
