import about from '../package.json' with { type: 'json' }
import { type Command, CommandFailed, exitCodes, groups, type Io, print, say } from './command.ts'
import { similarNames } from './similar-names.ts'

/** Runs what `argv` says, the words behind `sluice`; answers the exit code. */
export async function runCommand(commands: readonly Command[], argv: readonly string[], io: Io): Promise<number> {
  let hint = ''
  try {
    const [first = 'help', ...rest] = argv
    if (['help', '--help', '-h'].includes(first)) return help(commands, rest, io)
    if (['--version', '-v'].includes(first)) return version(io)
    const { command, rest: words } = commandOf(commands, argv)
    hint = `\nSee: sluice help ${command.name}`
    if (words.some((word) => word === '--help' || word === '-h')) return help(commands, command.name.split(' '), io)
    return await command.run(words, io)
  } catch (error) {
    if (io.signal.aborted) return exitCodes.interrupted
    const { failure, message } = failureIn(error)
    say(io, `sluice: ${message}${failure === 'usage' ? hint : ''}`)
    return exitCodes[failure]
  }
}

/** What the user should know: also what the machine refuses, as a folder that is none or a full disk. Throws anything else. */
function failureIn(error: unknown): Pick<CommandFailed, 'failure' | 'message'> {
  if (error instanceof CommandFailed) return error
  if (error instanceof Error && 'syscall' in error) return { failure: 'failed', message: `${error.message}.` }
  throw error
}

interface Found {
  readonly command: Command
  readonly rest: readonly string[]
}

/** The command with the longest name that `argv` begins with. Throws CommandFailed where there is none. */
function commandOf(commands: readonly Command[], argv: readonly string[]): Found {
  const [command] = commands
    .filter(({ name }) => name.split(' ').every((word, index) => argv[index] === word))
    .toSorted((a, b) => b.name.length - a.name.length)
  if (command) return { command, rest: argv.slice(command.name.split(' ').length) }
  const names = commands.map(({ name }) => name)
  const similar = similarNames(names, argv).join(' or ')
  const hint = similar === '' ? 'See: sluice help' : `Did you mean ${similar}?`
  throw new CommandFailed('usage', `There is no command ${argv[0]}. ${hint}`)
}

function version(io: Io): number {
  print(io, `sluice ${about.version}`)
  return exitCodes.done
}

function help(commands: readonly Command[], words: readonly string[], io: Io): number {
  if (words.length === 0) print(io, overview(commands))
  else {
    const { command } = commandOf(commands, words)
    print(io, `${command.summary}\n\n${command.usage}`)
  }
  return exitCodes.done
}

const OPTIONS = [
  ['-h, --help', 'Of any command: how it is called.'],
  ['-v, --version', 'Which version of sluice this is.'],
] as const

function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const line = (name: string, summary: string) => `  ${name.padEnd(width)}  ${summary}`
  const sections = Object.entries(groups).flatMap(([group, title]) => {
    const own = commands.filter((command) => command.group === group)
    return [title, ...own.map(({ name, summary }) => line(name, summary)), '']
  })
  const options = OPTIONS.map(([name, summary]) => line(name, summary))
  const usage = 'Usage: sluice <command> [options]'
  return [usage, '', ...sections, 'Options', ...options, '', 'More of one: sluice help <command>'].join('\n')
}
