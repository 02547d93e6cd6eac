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

// The first signal lets the command end by itself, a second one does not wait. npx hands on what the terminal sends to both:
// what comes so soon behind a signal is that signal.
const SAME_SIGNAL_MS = 500
const breakOff = new AbortController()
let brokenOffAt = 0
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    if (!breakOff.signal.aborted) {
      brokenOffAt = performance.now()
      breakOff.abort()
    } else if (performance.now() - brokenOffAt > SAME_SIGNAL_MS) process.exit(exitCodes.interrupted)
  })
}

process.exitCode = await runCommand(commands, argv.slice(2), { env, stdin, stdout, stderr, signal: breakOff.signal })
