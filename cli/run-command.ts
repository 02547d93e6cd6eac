import { type Command, CommandFailed, exitCodes, type Io, print, say } from './command.ts'

/** Runs what `argv` says, the words behind `sluice`; answers the exit code. */
export async function runCommand(commands: readonly Command[], argv: readonly string[], io: Io): Promise<number> {
  try {
    const [first = 'help', ...rest] = argv
    if (['help', '--help', '-h'].includes(first)) return help(commands, rest, io)
    const found = commandOf(commands, argv)
    if (!found) throw new CommandFailed('usage', `There is no command ${first}. See: sluice help`)
    if (found.rest.some((word) => word === '--help' || word === '-h'))
      return help(commands, found.command.name.split(' '), io)
    return await found.command.run(found.rest, io)
  } catch (error) {
    if (io.signal.aborted) return exitCodes.interrupted
    if (!(error instanceof CommandFailed)) throw error
    say(io, `sluice: ${error.message}`)
    return exitCodes[error.failure]
  }
}

interface Found {
  readonly command: Command
  readonly rest: readonly string[]
}

/** The command with the longest name that `argv` begins with. */
function commandOf(commands: readonly Command[], argv: readonly string[]): Found | null {
  const [command] = commands
    .filter(({ name }) => name.split(' ').every((word, index) => argv[index] === word))
    .toSorted((a, b) => b.name.length - a.name.length)
  return command ? { command, rest: argv.slice(command.name.split(' ').length) } : null
}

function help(commands: readonly Command[], words: readonly string[], io: Io): number {
  const command = commandOf(commands, words)?.command
  if (words.length > 0 && !command) throw new CommandFailed('usage', `There is no command ${words.join(' ')}.`)
  print(io, command ? `${command.summary}\n\n${command.usage}` : overview(commands))
  return exitCodes.done
}

function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return ['Usage: sluice <command> [options]', '', ...lines, '', 'More of one: sluice help <command>'].join('\n')
}
