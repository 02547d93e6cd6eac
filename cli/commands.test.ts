import { expect, test } from 'vitest'
import { commandHome } from '#testing/sluice-command.ts'
import about from '../package.json' with { type: 'json' }
import { commands } from './commands.ts'

test('each command has a name of its own, and says how it is called', () => {
  const names = commands.map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  for (const { name, usage } of commands) expect(usage).toContain(`Usage: sluice ${name}`)
})

test('the list and each help fit a terminal', async () => {
  await using home = await commandHome()
  for (const words of [[], ...commands.map(({ name }) => name.split(' '))]) {
    const { code, stdout, stderr } = await home.call(['help', ...words])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  }
})

test('the list names every command once, under what it is for', async () => {
  await using home = await commandHome()
  const { stdout } = await home.call([])
  const listed = stdout
    .split('\n')
    .flatMap((line) => /^ {2}(\w\S*(?: \S+)?) {2}/.exec(line.replace(/ +/g, spaced))?.[1] ?? [])
  expect(listed).toEqual(commands.map(({ name }) => name))
  expect(await home.call(['--help'])).toMatchObject({ code: 0, stdout })
})

/** Of a column's spaces two are left. */
const spaced = (spaces: string): string => spaces.slice(0, 2)

test.each(['--version', '-v'])('%s says which version it is', async (option) => {
  await using home = await commandHome()
  expect(await home.call([option])).toEqual({ code: 0, stdout: `sluice ${about.version}\n`, stderr: '' })
})

test.each([
  [['help', 'nonsense'], 'sluice: There is no command nonsense. See: sluice help\n'],
  [['nonsense', '--help'], 'sluice: There is no command nonsense. See: sluice help\n'],
  [['help', 'uplaod'], 'sluice: There is no command uplaod. Did you mean upload?\n'],
  [['uplaod', 'a.png'], 'sluice: There is no command uplaod. Did you mean upload?\n'],
  [['admin'], 'sluice: There is no command admin. Did you mean admin reset-password?\n'],
])('%j is not understood', async (args, stderr) => {
  await using home = await commandHome()
  expect(await home.call(args)).toEqual({ code: 2, stdout: '', stderr })
})

test.each([
  ['upload', '--fast', "Unknown option '--fast'"],
  ['user create', '--role', "Option '--role <value>' argument missing"],
  ['list', 'all', 'This command takes options alone, not all.'],
  ['limits', 'all', 'This command takes options alone, not all.'],
  ['login', 'sue', 'This command takes options alone, not sue.'],
  ['logout', 'now', 'This command takes options alone, not now.'],
])('%s %s is not understood, and leads to its help', async (name, word, why) => {
  await using home = await commandHome()
  const stderr = `sluice: ${why}\nSee: sluice help ${name}\n`
  expect(await home.call([...name.split(' '), word])).toEqual({ code: 2, stdout: '', stderr })
})

test('each command shows its own help', async () => {
  await using home = await commandHome()
  const help = await home.call(['help', 'upload'])
  expect(help.stdout).toMatch(/^Uploads files, .*\n\nUsage: sluice upload /)
  expect(await home.call(['upload', 'x.png', '--help'])).toEqual(help)
})
