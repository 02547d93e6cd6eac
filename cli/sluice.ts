// The command `sluice`, started by cli/launch.mjs: signals, streams and the exit code.
import { exitCodes } from './command.ts'
import { commands } from './commands.ts'
import { runCommand } from './run-command.ts'

const { argv, env, stdin, stdout, stderr } = process

// The reader may close the pipe early, as `head` does.
stdout.on('error', (error) => {
  if ('code' in error && error.code === 'EPIPE') process.exit(exitCodes.done)
  throw error
})

// The first signal lets the command end by itself; a second one ends it at once. A terminal signals npx and the command, and npx
// forwards its own: a signal so soon after another is the same one.
const SAME_SIGNAL_MS = 500
const interruption = new AbortController()
let interruptedAt = 0
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    if (!interruption.signal.aborted) {
      interruptedAt = performance.now()
      interruption.abort()
    } else if (performance.now() - interruptedAt > SAME_SIGNAL_MS) process.exit(exitCodes.interrupted)
  })
}

process.exitCode = await runCommand(commands, argv.slice(2), {
  env,
  stdin,
  stdout,
  stderr,
  signal: interruption.signal,
})
