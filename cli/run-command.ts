import { formatChoice } from '#format/counts.ts'
import { translate } from '#messages/translate.ts'
import about from '../package.json' with { type: 'json' }
import { type Command, CommandFailed, exitCodes, type Io, print, say } from './command.ts'
import { commandHelp, overview } from './help.ts'
import { similarNames } from './similar-names.ts'

/** Runs the command that `argv` names, without the leading `sluice`. Returns the exit code. */
export async function runCommand(commands: readonly Command[], argv: readonly string[], io: Io): Promise<number> {
  let hint = ''
  try {
    const [first = 'help', ...rest] = argv
    if (['help', '--help', '-h'].includes(first)) return help(commands, rest, io)
    if (['--version', '-v'].includes(first)) return version(io)
    const { command, rest: words } = findCommand(commands, argv)
    hint = `\n${translate('cli.arguments.seeHelp', { command: command.name })}`
    if (words.some((word) => word === '--help' || word === '-h')) return help(commands, command.name.split(' '), io)
    return await command.run(words, io)
  } catch (error) {
    if (io.signal.aborted) return exitCodes.interrupted
    const { failure, message } = failureIn(error)
    say(io, `sluice: ${message}${failure === 'usage' ? hint : ''}`)
    return exitCodes[failure]
  }
}

/** Returns what the user should know, including errors of the file system such as a full disk. Throws anything else. */
function failureIn(error: unknown): Pick<CommandFailed, 'failure' | 'message'> {
  if (error instanceof CommandFailed) return error
  if (error instanceof Error && 'syscall' in error) return { failure: 'failed', message: `${error.message}.` }
  throw error
}

interface Found {
  readonly command: Command
  readonly rest: readonly string[]
}

/** Returns the command with the longest name that `argv` begins with. Throws CommandFailed if there is none. */
function findCommand(commands: readonly Command[], argv: readonly string[]): Found {
  const [command] = commands
    .filter(({ name }) => name.split(' ').every((word, index) => argv[index] === word))
    .toSorted((a, b) => b.name.length - a.name.length)
  if (command) return { command, rest: argv.slice(command.name.split(' ').length) }
  const names = commands.map(({ name }) => name)
  const similar = formatChoice(similarNames(names, argv), 'en')
  const [unknown = ''] = argv
  throw new CommandFailed(
    'usage',
    similar === ''
      ? translate('cli.arguments.unknownCommand', { command: unknown })
      : translate('cli.arguments.unknownCommandSimilar', { command: unknown, similar }),
  )
}

function version(io: Io): number {
  print(io, `sluice ${about.version}`)
  return exitCodes.done
}

function help(commands: readonly Command[], words: readonly string[], io: Io): number {
  print(io, words.length === 0 ? overview(commands) : commandHelp(findCommand(commands, words).command))
  return exitCodes.done
}
