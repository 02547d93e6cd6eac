// The command `sluice`, run by cli/launch.mjs: its signals, its streams, and the exit code.
import { exitCodes } from './command.ts'
import { commands } from './commands.ts'
import { runCommand } from './run-command.ts'

const { argv, env, stdin, stdout, stderr } = process

// Whoever reads the lines may have had enough of them, as `head` has.
stdout.on('error', (error) => {
  if ('code' in error && error.code === 'EPIPE') process.exit(exitCodes.done)
  throw error
})

// The first signal lets the command end by itself, a second one does not wait.
const breakOff = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    if (breakOff.signal.aborted) process.exit(exitCodes.interrupted)
    breakOff.abort()
  })
}

process.exitCode = await runCommand(commands, argv.slice(2), { env, stdin, stdout, stderr, signal: breakOff.signal })
